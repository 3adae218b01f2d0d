// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::schedule {

/// Sizes of what lies in the slots of one rank.
struct SlotBytes {
    std::vector<std::int64_t> send;
    std::vector<std::int64_t> recv;
    std::vector<std::int64_t> temp;
};

/// What becomes of blocks without bytes. If the ranks have not agreed on sizes they are kept: the
/// absence of a message would not reveal a mistake, and the schedule serves blocks of other sizes,
/// too.
enum class Empty { left_out, kept };

/// The same schedule for blocks of these sizes.
Schedule resized(Schedule schedule, const SlotBytes& bytes, Empty empty = Empty::left_out);

/// The same schedule for blocks that are a byte shorter. Blocks that then have no bytes are kept.
/// @pre all blocks have bytes
Schedule shortened(Schedule schedule);

/// The same schedule for blocks that are longer by this factor.
Schedule scaled(Schedule schedule, std::int64_t factor);

/// The size of the block in each temporary slot.
std::vector<std::int64_t> sizes_of_temps(const Schedule& schedule);

/// The same schedule for a rank that lists its blocks in another order. Send slot i becomes
/// `send_order[i]` of `send_slots`, receive slot i becomes `recv_order[i]` of `recv_slots`; an
/// empty order changes nothing.
Schedule reordered(Schedule schedule, std::span<const int> send_order, int send_slots,
                   std::span<const int> recv_order, int recv_slots);

}  // namespace carpool::schedule
