// SPDX-License-Identifier: MIT
#include "neighbor/confirmed.hpp"

#include "neighbor/topology/edge_check.hpp"

#include <mpi.h>

#include <utility>

namespace carpool::neighbor {

Confirmed::Confirmed(std::unique_ptr<engine::Communication> exchange, NeighborFilling& filling,
                     mpi::CallCode code, const call::CallContext& context,
                     std::shared_ptr<agree::NodeBarrier> barrier)
    : exchange_(std::move(exchange)),
      filling_(filling),
      code_(code),
      context_(context),
      balance_(*context_.ticket.state, std::move(barrier)) {}

/// The messages of the sum have a tag of their own, from which a rank that makes another call sees
/// that the calls differ.
void Confirmed::start(int tag) {
    auto& ticket = context_.ticket;
    const auto turn = ticket.state->turn(ticket.state->number_of(tag));
    ticket.tag = turn.tag;
    exchanged_ = false;
    failure_.reset();
    difference_.reset();
    exchange_->start(tag);
    balance_.start(turn.number,
                   ticket.state->tag_in(turn, code_.in_way(mpi::CallCode::confirming).number()),
                   filling_.balance());
}

/// An error in the exchange, where a block has another length than expected, waits for the sum: the
/// sum finds the reason, and finds it on all ranks.
bool Confirmed::advance() {
    if (difference_) return difference_->test();
    if (!exchanged_ && !failure_)
        failure_ = mpi::mistake_in([this] { exchanged_ = exchange_->advance(); });
    if (!balance_.advance()) return false;
    if (!balance_.is_zero()) {
        look_into_difference();
        return false;
    }
    if (failure_) throw mpi::Error(*failure_);
    return exchanged_;
}

void Confirmed::look_into_difference() {
    const auto& state = *context_.ticket.state;
    const auto turn = state.turn(context_.turn());
    difference_.emplace(refuse_difference(filling_.ends(), context_, MPI_ERR_ARG,
                                          state.tag_in(turn, mpi::CallCode::of_supersteps)));
}

void Confirmed::withdraw() {
    exchange_->withdraw();
    balance_.withdraw();
    if (difference_) difference_->withdraw();
}

void Confirmed::visit_awaited(const base::RankVisitor& visit) const {
    exchange_->visit_awaited(visit);
    balance_.visit_awaited(visit);
}

}  // namespace carpool::neighbor
