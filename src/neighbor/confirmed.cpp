#include "neighbor/confirmed.hpp"

#include "base/each_once.hpp"
#include "neighbor/edge_check.hpp"

#include <mpi.h>

#include <bit>
#include <utility>

namespace carpool::neighbor {

using Outcome = shared::RollCall::Outcome;

Confirmed::Confirmed(std::unique_ptr<engine::Communication> exchange,
                     std::shared_ptr<Topology> topology, EdgeEnds ends, call::CallCode code,
                     const call::CallContext& context, std::shared_ptr<call::CommonRoll> roll)
    : exchange_(std::move(exchange)),
      topology_(std::move(topology)),
      ends_(std::move(ends)),
      code_(code),
      context_(context),
      roll_(std::move(roll)),
      balance_(balance(ends_)) {
    const auto& state = *context_.ticket.state;
    if (roll_->calls() == nullptr)
        sum_.emplace(state, std::vector{std::bit_cast<std::int64_t>(balance_)}, MPI_SUM,
                     call::allreduce_beside(state));
}

/// A sum by messages has a tag by which who calls something else sees that this is another call.
void Confirmed::start(int tag) {
    auto& ticket = context_.ticket;
    const auto turn = ticket.state->turn(ticket.state->number_of(tag));
    ticket.tag = turn.tag;
    turn_ = turn.number;
    exchanged_ = summed_ = even_ = false;
    failure_.reset();
    if (!sum_) roll_->calls()->come(turn_, balance_);
    exchange_->start(tag);
    if (sum_)
        sum_->start(ticket.state->tag_in(turn, code_.in_way(call::CallCode::planning).number()));
}

bool Confirmed::sum_is_there() {
    if (sum_) {
        if (!sum_->advance()) return false;
        even_ = sum_->result().front() == 0;
        return true;
    }
    const auto outcome = roll_->calls()->outcome(turn_);
    if (outcome == Outcome::open) return false;
    even_ = outcome == Outcome::even;
    roll_->calls()->leave(turn_);
    return true;
}

/// What goes wrong in the exchange, where a block has another length, waits for the sum: that knows
/// why, and on all ranks.
bool Confirmed::advance() {
    if (difference_) return difference_->test();
    if (!exchanged_ && !failure_)
        failure_ = mpi::mistake_in([this] { exchanged_ = exchange_->advance(); });
    summed_ = summed_ || sum_is_there();
    if (!summed_) return false;
    if (!even_) {
        look_into_difference();
        return false;
    }
    if (failure_) throw mpi::Error(*failure_);
    return exchanged_;
}

void Confirmed::look_into_difference() {
    const auto& state = *context_.ticket.state;
    const auto turn = state.turn(context_.turn());
    difference_.emplace(refuse_difference(ends_, context_, MPI_ERR_ARG,
                                          state.tag_in(turn, call::CallCode::of_letters)));
}

void Confirmed::withdraw() {
    exchange_->withdraw();
    if (!summed_ && sum_) sum_->withdraw();
    if (!summed_ && !sum_) roll_->calls()->leave(turn_);
    if (difference_) difference_->withdraw();
}

/// Who is missing in a roll call it does not tell.
std::vector<int> Confirmed::awaited() const {
    auto ranks = exchange_->awaited();
    if (summed_) return ranks;
    if (sum_) {
        for (const int rank : sum_->awaited()) ranks.push_back(rank);
    } else {
        for (int rank = 0; rank < context_.ticket.state->size(); ++rank)
            if (rank != context_.ticket.state->rank()) ranks.push_back(rank);
    }
    base::keep_each_once(ranks);
    return ranks;
}

}  // namespace carpool::neighbor
