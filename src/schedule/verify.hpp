#pragma once

#include "schedule/schedule.hpp"

#include <compare>
#include <span>
#include <string>
#include <vector>

namespace carpool::schedule {

/// A send block, as the symbol that lies in a slot.
struct Origin {
    int rank;
    int send_slot;
    std::int64_t bytes;
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// What lies in a slot: a block, the sum of several in the order they were added, or nothing.
struct Content {
    Content() = default;
    Content(const Origin& block) : blocks{block} {}
    explicit operator bool() const { return !blocks.empty(); }
    friend bool operator==(const Content&, const Content&) = default;

    std::vector<Origin> blocks;
};

/// Per rank and receive position, what must arrive; nothing where the position stays untouched.
using Postcondition = std::vector<std::vector<Content>>;

/// Does it matter in which order blocks are added? Only for an operator that does not commute.
enum class Order { any, exact };

/// Runs the schedules of all ranks on symbols instead of blocks and returns every complaint,
/// none for a correct schedule:
///
/// - every send has its receive, with the same parts and bytes, and no message is left over;
/// - peers, phases and slots lie in range, and rounds ascend in phase (if not, nothing else is
///   looked at);
/// - no slot is written twice, no send slot is written, and a message reads only send slots and
///   what was written in an earlier phase;
/// - every block arrives at its place, every summand is counted exactly once, and no other place is
///   touched;
/// - no deadlock. A message leaves when its parts are there and nothing is ever overwritten, so the
///   execution is confluent: that it ends under one order of completion shows it for all.
///
/// A complaint names rank, round or copy, slot, what was found and what was expected. Costs
/// O(n log n) for n messages, copies, parts and slots on all ranks together.
///
/// @param schedules  of ranks 0 .. P-1
std::vector<std::string> verify(std::span<const Schedule> schedules,
                                const Postcondition& postcondition, Order order = Order::any);

}  // namespace carpool::schedule
