// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <cstddef>
#include <vector>

namespace carpool::schedule {

/// What one exchange does with the user's blocks.
struct SlotUse {
    explicit SlotUse(const Schedule& schedule);

    /// Reads all send slots and writes all receive slots, which it may read before.
    SlotUse(std::size_t send_slots, std::size_t recv_slots, bool reads_recv);

    /// Per send and receive slot, whether the schedule reads what is there before a start.
    std::vector<bool> reads_send, reads_recv;

    std::vector<bool> writes_recv;  ///< per receive slot

    /// Per send and receive slot, whether an operator takes it or fills it.
    std::vector<bool> sums_send, sums_recv;

    /// Per send slot, the receive slots whose bytes it may have: those that it awaits.
    std::vector<std::vector<int>> awaited;

    /// Send and receive slots in the order of the messages with them, then all others.
    std::vector<int> send_order, recv_order;
};

}  // namespace carpool::schedule
