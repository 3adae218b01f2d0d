#include "call/watched.hpp"

#include "mpi/error.hpp"

namespace carpool::call {

void Watched::start(int tag) {
    call_ = state_->number_of(tag);
    patience_.begin();
    refusals_->tidy(call_);
    exchange_->start(state_->tag_in(state_->turn(call_), code_.number()));
}

bool Watched::advance() {
    try {
        if (exchange_->advance()) return true;
    } catch (const mpi::Error& error) {
        refusals_->tell(call_, error);
        give_up();
        throw;
    }
    if (patience_.is_over()) look();
    return false;
}

void Watched::look() {
    const auto error = refusals_->found(call_, code_);
    if (!error) return;
    give_up();
    throw mpi::Error(*error);
}

void Watched::give_up() {
    exchange_->withdraw();
    refusals_->bury(owner_.lock());
}

}  // namespace carpool::call
