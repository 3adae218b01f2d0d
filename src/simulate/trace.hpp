// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace carpool::simulate {

/// A message at one of its ends.
struct TracedMessage {
    int peer;
    int tag;  ///< tells apart the messages from one rank to another
    std::int64_t bytes;
};

/// One thing that a rank does after another.
struct Action {
    enum class Kind : std::uint8_t { send, wait, copy, sum };
    Kind kind;
    std::int64_t number;  ///< which message; the bytes of a copy or a sum
};

/// What one rank does in one exchange, in the order in which it does it: SimGrid calls that a
/// time-independent trace. All receives are posted before.
struct Trace {
    std::vector<TracedMessage> sends;
    std::vector<TracedMessage> receives;
    std::vector<Action> actions;
};

/// The trace of a schedule: sends in the order of their rounds, each after the messages whose
/// blocks it forwards. A message whose parts are not one piece of memory is copied at both of its
/// ends.
Trace trace_of(const schedule::Schedule& schedule);

}  // namespace carpool::simulate
