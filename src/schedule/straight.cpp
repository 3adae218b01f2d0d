// SPDX-License-Identifier: MIT
#include "schedule/straight.hpp"

#include "schedule/long_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace carpool::schedule {
namespace {

/// The sizes of one direction, with 0 for blocks that are sent directly. A single block for all
/// edges never is.
std::vector<std::int64_t> without_long(std::span<const topology::Edge> edges, int rank,
                                       std::vector<std::int64_t> bytes, std::int64_t longest) {
    if (bytes.size() != edges.size()) return bytes;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (bytes[i] > longest && edges[i].peer != topology::no_rank && edges[i].peer != rank)
            bytes[i] = 0;
    return bytes;
}

/// Moves blocks sent directly into the first message to or from the same rank in phase 0.
void take_along(Schedule& schedule, std::vector<Round>& straight, Message Round::* way) {
    std::map<int, std::vector<Part>> ahead;  // by peer, in their order
    const auto is_message_of_phase_0 = [way](const Round& round) {
        return round.phase == 0 && !(round.*way).parts.empty();
    };
    for (const auto& round : schedule.rounds)
        if (is_message_of_phase_0(round)) ahead.try_emplace((round.*way).peer);
    for (auto& round : straight) {
        auto& [peer, parts, length_header, rendezvous] = round.*way;
        const auto found = ahead.find(peer);
        if (parts.empty() || found == ahead.end()) continue;
        found->second.push_back(parts.front());
        parts.clear();
    }
    for (auto& round : schedule.rounds) {
        if (!is_message_of_phase_0(round)) continue;
        auto& message = round.*way;
        const auto parts = std::exchange(ahead[message.peer], {});
        message.parts.insert(message.parts.begin(), parts.begin(), parts.end());
    }
}

}  // namespace

DividedBlocks divided(const topology::Adjacency& edges, int rank, SlotBytes own,
                      std::int64_t longest) {
    return {rounds_of_long_blocks(edges, rank, own, longest, 0, false),
            {without_long(edges.out, rank, std::move(own.send), longest),
             without_long(edges.in, rank, std::move(own.recv), longest), std::move(own.temp)}};
}

Schedule with_straight(Schedule schedule, std::vector<Round> straight) {
    take_along(schedule, straight, &Round::send);
    take_along(schedule, straight, &Round::receive);
    std::erase_if(straight, [](const Round& round) {
        return round.send.parts.empty() && round.receive.parts.empty();
    });
    schedule.rounds.insert(schedule.rounds.begin(), std::move_iterator(straight.begin()),
                           std::move_iterator(straight.end()));
    return schedule;
}

}  // namespace carpool::schedule
