// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <string>

namespace carpool::schedule {

/// A schedule for plots and simulation; a side of a round without a message is null:
///   {"send_slots": 1, "recv_slots": 1, "temp_slots": 0,
///    "rounds": [{"phase": 0,
///                "send": {"peer": 1, "parts": [{"kind": "send", "position": 0, "bytes": 8}]},
///                "receive": null}],
///    "copies": [{"from": {"kind": "send", "position": 0},
///                "to": {"kind": "recv", "position": 0}, "bytes": 8}],
///    "sums": [{"of": [{"kind": "send", "position": 0}], "to": {"kind": "recv", "position": 0},
///              "bytes": 8}],
///    "awaits": [{"send_slot": 0, "slots": [{"kind": "recv", "position": 0}]}]}
std::string to_json(const Schedule& schedule);

}  // namespace carpool::schedule
