// SPDX-License-Identifier: MIT
#include "routing/digits.hpp"
#include "routing/next_hop.hpp"
#include "routing/ring_distance.hpp"
#include "routing/route_by.hpp"
#include "routing/rule.hpp"

#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

Program<Itinerary> route(GraphView view, Pattern pattern) {
    auto factors = view.options.digits.of(view.ranks);
    const int ranks = view.ranks, node = node_of(factors, view.nodes);
    return route_by(digit_hops(ranks, std::move(factors), node), std::move(view), pattern);
}

}  // namespace

NextHop digit_hops(int ranks, std::vector<int> factors, int node) {
    const int phases = static_cast<int>(factors.size());
    const RingDistance laps{ranks, node};
    return {phases, [laps, digits = digits_of(factors)](int phase, int at, int target) {
                const auto& digit = digits[static_cast<std::size_t>(phase)];
                const auto hop = digit.value(laps.distance(at, target)) * digit.weight;
                return laps.at(at, static_cast<int>(hop));
            }};
}

const Rule by_digits{
    .name = "digits",
    .summary = "one hop per digit of the distance in ranks; --digits gives factors",
    .automatic = true,
    .route = route,
    .writes_digits = true,
    .follows_next_hop = true,
    .rearranges = true,
};

}  // namespace carpool::routing
