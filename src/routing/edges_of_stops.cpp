// SPDX-License-Identifier: MIT
#include "routing/edges_of_stops.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace carpool::routing {
namespace {

using CombinedMessage = Itinerary::CombinedMessage;

/// The edges of the own blocks are known; those of other stops are not yet.
std::vector<std::vector<int>> edges_of_own_blocks(std::span<const Itinerary> routes) {
    std::vector<std::vector<int>> edges;
    edges.reserve(routes.size());
    int first = 0;
    for (const auto& itinerary : routes) {
        auto& own = edges.emplace_back(static_cast<std::size_t>(itinerary.stops()));
        std::iota(own.begin(), own.begin() + itinerary.blocks(), first);
        first += itinerary.blocks();
    }
    return edges;
}

/// Both ends of a message list its blocks in the same order.
void hand_over(const CombinedMessage& sent, const std::vector<int>& at_sender,
               const CombinedMessage& received, std::vector<int>& at_receiver) {
    for (std::size_t i = 0; i < sent.stops.size(); ++i)
        at_receiver[static_cast<std::size_t>(received.stops[i])] =
            at_sender[static_cast<std::size_t>(sent.stops[i])];
}

}  // namespace

const CombinedMessage& arrival_of(const CombinedMessage& sent, int sender,
                                  std::span<const CombinedMessage> receives) {
    const auto found =
        std::lower_bound(receives.begin(), receives.end(), std::pair(sent.phase, sender),
                         [](const CombinedMessage& combined, const auto& sought) {
                             return std::pair(combined.phase, combined.peer) < sought;
                         });
    CARPOOL_EXPECTS(found != receives.end() && found->peer == sender, sender, sent.phase);
    return *found;
}

std::vector<std::vector<int>> edges_of_stops(std::span<const Itinerary> routes) {
    auto edges = edges_of_own_blocks(routes);
    int phases = 0;
    for (const auto& itinerary : routes) phases = std::max(phases, itinerary.phases());
    std::vector<std::size_t> gone(routes.size());  // messages of earlier phases
    for (int phase = 0; phase < phases; ++phase)
        for (std::size_t rank = 0; rank < routes.size(); ++rank)
            for (const auto sends = routes[rank].sends();
                 gone[rank] < sends.size() && sends[gone[rank]].phase == phase; ++gone[rank]) {
                const auto& sent = sends[gone[rank]];
                const auto peer = static_cast<std::size_t>(sent.peer);
                hand_over(sent, edges[rank],
                          arrival_of(sent, static_cast<int>(rank), routes[peer].receives()),
                          edges[peer]);
            }
    return edges;
}

}  // namespace carpool::routing
