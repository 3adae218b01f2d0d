// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/content.hpp"
#include "schedule/schedule.hpp"

#include <span>
#include <string>
#include <vector>

namespace carpool::schedule {

/// What must arrive, per rank and receive position; nothing where the position stays untouched.
using Postcondition = std::vector<std::vector<Content>>;

/// Runs the schedules of all ranks on symbols instead of blocks and returns every complaint,
/// none for a correct schedule:
///
/// - every send has its receive in the same phase, with the same parts and bytes, and no message is
///   left over;
/// - peers, phases and slots lie in range, and rounds ascend in phase (if not, nothing else is
///   checked);
/// - no slot is written twice, no send slot is written, and a message reads only send slots and
///   what was written in an earlier phase;
/// - a rendezvous message brings a block that a length header has announced; its phase may be
/// another
///   at each end;
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
                                const Postcondition& postcondition, SumOrder order = SumOrder::any);

}  // namespace carpool::schedule
