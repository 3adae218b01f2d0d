// SPDX-License-Identifier: MIT
#include "schedule/length_headers.hpp"

#include "schedule/long_blocks.hpp"

#include <utility>

namespace carpool::schedule {

Schedule with_length_headers(Schedule schedule, std::int64_t longest,
                             const topology::Adjacency& edges, int rank, const SlotBytes& own) {
    for (auto& round : schedule.rounds)
        round.send.length_header = round.receive.length_header = true;
    const int phase = schedule.rounds.empty() ? 0 : schedule.rounds.back().phase;
    for (auto& round : rounds_of_long_blocks(edges, rank, own, longest, phase, true))
        schedule.rounds.push_back(std::move(round));
    return schedule;
}

}  // namespace carpool::schedule
