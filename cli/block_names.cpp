// SPDX-License-Identifier: MIT
#include "block_names.hpp"

#include <algorithm>

namespace cli {

using carpool::routing::Itinerary;

const std::vector<BlockNames::Place>& BlockNames::arrivals(int rank) {
    const auto [found, added] = arrivals_.try_emplace(rank);
    if (!added) return found->second;
    const auto& itinerary = routes_[static_cast<std::size_t>(rank)];
    found->second.resize(static_cast<std::size_t>(itinerary.stops()));
    for (const auto& combined : itinerary.receives())
        for (std::size_t i = 0; i < combined.stops.size(); ++i)
            found->second[static_cast<std::size_t>(combined.stops[i])] = {combined.phase,
                                                                          combined.peer, i};
    return found->second;
}

BlockNames::Origin BlockNames::origin(int rank, int stop) {
    const auto& itinerary = routes_[static_cast<std::size_t>(rank)];
    if (itinerary.is_origin(stop)) return {rank, stop};
    const auto place = arrivals(rank)[static_cast<std::size_t>(stop)];
    const auto sends = routes_[static_cast<std::size_t>(place.peer)].sends();
    const auto combined =
        std::find_if(sends.begin(), sends.end(), [&](const Itinerary::CombinedMessage& one) {
            return one.phase == place.phase && one.peer == rank;
        });
    return origin(place.peer, combined->stops[place.index]);
}

}  // namespace cli
