// SPDX-License-Identifier: MIT
#include "neighbor/confirmed_exchange.hpp"

#include "neighbor/topology/edge_check.hpp"

#include <mpi.h>

#include <utility>

namespace carpool::neighbor {

ConfirmedExchange::ConfirmedExchange(std::unique_ptr<engine::Communication> exchange,
                                     NeighborFiller& filler, mpi::CallCode code,
                                     const call::CallContext& context,
                                     std::shared_ptr<agree::NodeBarrier> barrier)
    : exchange_(std::move(exchange)),
      filler_(filler),
      code_(code),
      context_(context),
      balance_(*context_.ticket.state, std::move(barrier)) {}

/// The messages of the sum have a tag of their own, from which a rank that makes another call sees
/// that the calls differ.
void ConfirmedExchange::start(int tag) {
    auto& ticket = context_.ticket;
    const auto tags = ticket.state->tags_of_call(ticket.state->number_of(tag));
    ticket.tag = tags.tag;
    exchanged_ = false;
    failure_.reset();
    difference_.reset();
    exchange_->start(tag);
    balance_.start(tags.number,
                   ticket.state->tag_in(tags, code_.in_way(mpi::CallCode::confirming).number()),
                   filler_.balance());
}

/// An error in the exchange, where a block has another length than expected, waits for the sum: the
/// sum finds the reason, and finds it on all ranks.
bool ConfirmedExchange::advance() {
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

void ConfirmedExchange::look_into_difference() {
    const auto& state = *context_.ticket.state;
    const auto tags = state.tags_of_call(context_.sequence_number());
    difference_.emplace(refuse_difference(filler_.ends(), context_, MPI_ERR_ARG,
                                          state.tag_in(tags, mpi::CallCode::of_supersteps)));
}

void ConfirmedExchange::withdraw() {
    exchange_->withdraw();
    balance_.withdraw();
    if (difference_) difference_->withdraw();
}

void ConfirmedExchange::visit_awaited(const base::RankVisitor& visit) const {
    exchange_->visit_awaited(visit);
    balance_.visit_awaited(visit);
}

}  // namespace carpool::neighbor
