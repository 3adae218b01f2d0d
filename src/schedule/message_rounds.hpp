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

using CombinedMessage = routing::Itinerary::CombinedMessage;

/// The rounds of combined messages. A phase has as many as this rank has messages in its busier
/// direction.
/// @param sent, received  turns a combined message into one of the schedule
template <typename Sent, typename Received>
std::vector<Round> rounds_of(std::span<const CombinedMessage> sends,
                             std::span<const CombinedMessage> receives, Sent sent,
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

/// The combined messages in the order of an exchange that runs backwards.
/// @param last  the last phase of the itinerary of any rank
inline std::vector<CombinedMessage> reversed(std::span<const CombinedMessage> messages, int last) {
    std::vector<CombinedMessage> result(messages.begin(), messages.end());
    for (auto& combined : result) combined.phase = last - combined.phase;
    std::stable_sort(result.begin(), result.end(),
                     [](const CombinedMessage& a, const CombinedMessage& b) {
                         return std::pair(a.phase, a.peer) < std::pair(b.phase, b.peer);
                     });
    return result;
}

}  // namespace carpool::schedule
