// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/exchange.hpp"
#include "mpi/comm/comm_state.hpp"
#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::call {

/// Learns the sizes of forwarded blocks: each rank sends the sizes of its blocks along the routes
/// that the blocks will take, 8 bytes for each.
class SizeLearning {
public:
    /// @param schedule  its blocks all have 8 bytes
    /// @param blocks    this rank's: those whose sizes are to be sent, and those that go straight
    SizeLearning(const mpi::CommState& state, schedule::Schedule schedule,
                 schedule::DividedBlocks blocks);

    /// The tag is in use only until the end.
    void start(int tag) { exchange_->start(tag); }
    bool test() { return exchange_->advance(); }
    void withdraw() { exchange_->withdraw(); }
    void visit_awaited(const base::RankVisitor& visit) const { exchange_->visit_awaited(visit); }

    /// The schedule with sizes. @pre test() has returned true
    schedule::Schedule sized() const {
        return schedule::with_straight(schedule::resized(schedule_, sizes_), straight_);
    }

private:
    schedule::Schedule schedule_;
    std::vector<schedule::Round> straight_;
    schedule::SlotBytes sizes_;
    std::vector<std::int64_t> heard_;  // sizes of the blocks for this rank, which it knows
    std::unique_ptr<engine::Exchange> exchange_;
};

}  // namespace carpool::call
