// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <string>
#include <string_view>

namespace carpool::schedule {

/// "send", "recv" or "temp".
std::string_view name_of(Slot::Kind kind);

/// "send[3]", "recv[3]" or "temp[3]".
std::string to_text(const Slot& slot);

/// One line per round, copy, sum and await, for reading:
///   round 2  phase 1  to 5: recv[3] temp[0] (80 B)  from 1: recv[4] recv[7] (80 B)
///   copy  send[4] to recv[4] (40 B)
///   sum  send[0] + temp[1] to temp[2] (40 B)
///   await  send[5] after recv[0] recv[1]
///   total  2 messages  3 blocks  120 B
/// The total counts what this rank sends.
std::string to_text(const Schedule& schedule);

}  // namespace carpool::schedule
