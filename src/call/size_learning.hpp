#pragma once

#include "engine/exchange.hpp"
#include "mpi/comm_state.hpp"
#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::call {

/// Learns the sizes of blocks in transit: each rank sends those of its blocks the way the blocks
/// will go, 8 bytes for each.
class SizeLearning {
public:
    /// @param schedule  of blocks that all have 8 bytes
    /// @param blocks    of this rank: those whose sizes are to be told, and those that go straight
    SizeLearning(const mpi::CommState& state, schedule::Schedule schedule,
                 schedule::Divided blocks);

    /// Uses the tag only until it has ended.
    void start(int tag) { exchange_->start(tag); }
    bool test() { return exchange_->advance(); }
    void withdraw() { exchange_->withdraw(); }
    std::vector<int> awaited() const { return exchange_->awaited(); }

    /// The schedule with sizes. @pre ended
    schedule::Schedule sized() const {
        return schedule::with_straight(schedule::resized(schedule_, sizes_), straight_);
    }

private:
    schedule::Schedule schedule_;
    std::vector<schedule::Round> straight_;
    schedule::SlotBytes sizes_;
    std::vector<std::int64_t> heard_;  // what comes for this rank, which knows it
    std::unique_ptr<engine::Exchange> exchange_;
};

}  // namespace carpool::call
