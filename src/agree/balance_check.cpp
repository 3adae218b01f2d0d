// SPDX-License-Identifier: MIT
#include "agree/balance_check.hpp"

#include <bit>
#include <utility>

namespace carpool::agree {

using Outcome = shared::CountingBarrier::Outcome;

BalanceCheck::BalanceCheck(const mpi::CommState& state, std::shared_ptr<NodeBarrier> barrier)
    : state_(state), barrier_(std::move(barrier)) {
    if (barrier_->calls() == nullptr)
        sum_.emplace(state, std::vector<std::int64_t>(1), MPI_SUM, allreduce_beside(state));
}

void BalanceCheck::start(std::int64_t episode, int tag, std::uint64_t number) {
    episode_ = episode;
    if (sum_) {
        sum_->own().front() = std::bit_cast<std::int64_t>(number);
        sum_->start(tag);
    } else {
        calls().arrive(episode, number);
    }
    under_way_ = true;
}

bool BalanceCheck::advance() {
    if (!under_way_) return true;
    if (sum_) {
        if (sum_->advance()) end(sum_->result().front() == 0);
    } else if (const auto outcome = calls().outcome(episode_); outcome != Outcome::open) {
        calls().leave(episode_);
        end(outcome == Outcome::balanced);
    }
    return !under_way_;
}

void BalanceCheck::end(bool is_zero) {
    is_zero_ = is_zero;
    under_way_ = false;
}

void BalanceCheck::withdraw() {
    if (!std::exchange(under_way_, false)) return;
    if (sum_)
        sum_->withdraw();
    else
        calls().leave(episode_);
}

void BalanceCheck::visit_awaited(const base::RankVisitor& visit) const {
    if (!under_way_) return;
    if (sum_) return sum_->visit_awaited(visit);
    for (int rank = 0; rank < state_.size(); ++rank)
        if (rank != state_.rank()) visit(rank);
}

}  // namespace carpool::agree
