// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"
#include "schedule/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace carpool::schedule {

using Ride = routing::Itinerary::Ride;

/// The rounds of rides. A phase has as many as this rank has messages in its busier direction.
/// @param sent, received  the message of a ride
template <typename Sent, typename Received>
std::vector<Round> rounds_of(std::span<const Ride> sends, std::span<const Ride> receives, Sent sent,
                             Received received) {
    std::vector<Round> rounds;
    std::size_t s = 0;
    std::size_t r = 0;
    while (s < sends.size() || r < receives.size()) {
        const int phase = s == sends.size()      ? receives[r].phase
                          : r == receives.size() ? sends[s].phase
                                                 : std::min(sends[s].phase, receives[r].phase);
        auto& round = rounds.emplace_back(Round{phase, {-1, {}}, {-1, {}}});
        if (s < sends.size() && sends[s].phase == phase) round.send = sent(sends[s++]);
        if (r < receives.size() && receives[r].phase == phase)
            round.receive = received(receives[r++]);
    }
    return rounds;
}

/// The rides in the order of an exchange that runs backwards.
/// @param last  the last phase of the itinerary of any rank
inline std::vector<Ride> turned(std::span<const Ride> rides, int last) {
    std::vector<Ride> turned(rides.begin(), rides.end());
    for (auto& ride : turned) ride.phase = last - ride.phase;
    std::stable_sort(turned.begin(), turned.end(), [](const Ride& a, const Ride& b) {
        return std::pair(a.phase, a.peer) < std::pair(b.phase, b.peer);
    });
    return turned;
}

}  // namespace carpool::schedule
