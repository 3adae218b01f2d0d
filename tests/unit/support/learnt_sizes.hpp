// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "schedule/straight.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

/// Schedules of all ranks for blocks whose sizes differ: phase by phase, ranks get the sizes of the
/// blocks that pass through them. Blocks longer than `longest` are sent directly.
/// @param all  for blocks of one size
/// @param own  sizes of each rank's blocks, and of as many temporary slots as it has
inline std::vector<carpool::schedule::Schedule> with_learnt_sizes(
    std::vector<carpool::schedule::Schedule> all, const carpool::topology::Graph& edges,
    std::vector<carpool::schedule::SlotBytes> own, std::int64_t longest) {
    using namespace carpool::schedule;
    std::vector<SlotBytes> sizes;
    std::vector<std::vector<Round>> straight;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        auto blocks = divided(edges[rank], static_cast<int>(rank), std::move(own[rank]), longest);
        sizes.push_back(std::move(blocks.combined));
        straight.push_back(std::move(blocks.straight));
    }
    const auto size_of = [&](std::size_t rank, const Slot& slot) -> std::int64_t& {
        auto& kind = slot.kind == Slot::Kind::send   ? sizes[rank].send
                     : slot.kind == Slot::Kind::recv ? sizes[rank].recv
                                                     : sizes[rank].temp;
        return kind[static_cast<std::size_t>(slot.position)];
    };
    using Place = std::tuple<int, std::size_t, std::size_t>;  // phase, from, to
    std::map<Place, std::pair<const Message*, const Message*>> messages;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        for (const auto& [phase, send, receive] : all[rank].rounds) {
            if (!send.parts.empty())
                messages[{phase, rank, static_cast<std::size_t>(send.peer)}].first = &send;
            if (!receive.parts.empty())
                messages[{phase, static_cast<std::size_t>(receive.peer), rank}].second = &receive;
        }
    for (const auto& [place, ends] : messages)
        for (std::size_t i = 0; i < ends.first->parts.size(); ++i)
            size_of(std::get<2>(place), ends.second->parts[i].slot) =
                size_of(std::get<1>(place), ends.first->parts[i].slot);
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        all[rank] = with_straight(resized(std::move(all[rank]), sizes[rank]), straight[rank]);
    return all;
}
