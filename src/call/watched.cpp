#include "call/watched.hpp"

#include "mpi/error.hpp"

namespace carpool::call {

void Watched::start(int tag) {
    call_ = state_->number_of(tag);
    patience_.begin();
    looks_ = 0;
    if (word_ != nullptr) word_->begin();
    refusals_->begin(call_, code_);
    refusals_->tidy(call_);
    exchange_->start(state_->tag_in(state_->turn(call_), code_.number()));
}

bool Watched::advance() {
    try {
        const bool ended = exchange_->advance();
        if (ended || patience_.is_over()) check(ended);
        return ended;
    } catch (const mpi::Error& error) {
        refusals_->tell(call_, error);
        give_up();
        throw;
    }
}

/// At the end, or where it takes long, what has come and what others have told.
void Watched::check(bool ended) {
    if (word_ != nullptr) word_->check();
    if (!ended) look();
}

void Watched::look() {
    if (const auto error = refusals_->found(call_, code_, *exchange_, looks_++))
        throw mpi::Error(*error);
}

void Watched::give_up() {
    exchange_->withdraw();
    refusals_->bury(owner_.lock());
}

}  // namespace carpool::call
