// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

#include <vector>

/// A small exchange written by hand, which tests break.
///
/// Three ranks on a ring send 8 bytes to the next rank, 8 to the one after it, and 8 to themselves.
/// The block for the rank after next travels with the first one, is stored in temp[0], and is
/// forwarded:
///
///   round 0  phase 0  to next: send[0] send[1]   from previous: recv[0] temp[0]
///   round 1  phase 1  to next: temp[0]           from previous: recv[1]
///   copy     send[2] to recv[2]
namespace ring {

using carpool::schedule::Origin;
using carpool::schedule::Postcondition;
using carpool::schedule::Schedule;
using carpool::schedule::Slot;

inline constexpr int ranks = 3;

inline Slot send(int position) { return {Slot::Kind::send, position}; }
inline Slot recv(int position) { return {Slot::Kind::recv, position}; }
inline Slot temp(int position) { return {Slot::Kind::temp, position}; }

inline Schedule schedule_of(int rank) {
    const int next = (rank + 1) % ranks;
    const int previous = (rank + ranks - 1) % ranks;
    Schedule schedule;
    schedule.send_slots = 3;
    schedule.recv_slots = 3;
    schedule.temp_slots = 1;
    schedule.rounds = {
        {0, {next, {{send(0), 8}, {send(1), 8}}}, {previous, {{recv(0), 8}, {temp(0), 8}}}},
        {1, {next, {{temp(0), 8}}}, {previous, {{recv(1), 8}}}},
    };
    schedule.copies = {{send(2), recv(2), 8}};
    return schedule;
}

inline std::vector<Schedule> schedules() {
    return {schedule_of(0), schedule_of(1), schedule_of(2)};
}

inline Postcondition postcondition() {
    return {{Origin{2, 0, 8}, Origin{1, 1, 8}, Origin{0, 2, 8}},
            {Origin{0, 0, 8}, Origin{2, 1, 8}, Origin{1, 2, 8}},
            {Origin{1, 0, 8}, Origin{0, 1, 8}, Origin{2, 2, 8}}};
}

}  // namespace ring
