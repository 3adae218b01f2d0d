// SPDX-License-Identifier: MIT
#include "routing/route_by.hpp"

#include <bit>

namespace carpool::routing {
namespace {

Program<Itinerary> route(GraphView view, Pattern pattern) {
    const int ranks = view.ranks;
    return route_by(hypercube_hops(ranks), std::move(view), pattern);
}

}  // namespace

/// A rank outside the hypercube sends and receives everything through the rank inside that differs
/// from it only in the highest bit.
NextHop hypercube_hops(int ranks) {
    const int dimensions = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    return {dimensions + 2, [dimensions](int phase, int at, int target) {
                const int inside = (1 << dimensions) - 1;
                if (phase == 0) return at & inside;
                if (phase > dimensions) return target;
                const int bit = 1 << (phase - 1);
                return (at & ~bit) | (target & bit);
            }};
}

const Rule hypercube{
    .name = "hypercube",
    .summary = "one hop per bit in which the ranks differ: log2(P) messages",
    .route = route,
    .follows_next_hop = true,
    .rearranges = true,
};

}  // namespace carpool::routing
