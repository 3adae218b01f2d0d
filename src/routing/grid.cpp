// SPDX-License-Identifier: MIT
#include "routing/digits.hpp"
#include "routing/route_by.hpp"

namespace carpool::routing {
namespace {

/// Ranks are numbered along x first. The last plane may have holes; the work of a hole falls to the
/// rank below it.
/// @param line  the number of ranks that differ only in the coordinates that are corrected
int along_line(int ranks, int side, int line, int at, int target) {
    int hop = at / line * line + target % line;
    while (hop >= ranks) hop -= side * side;
    return hop;
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    const int ranks = view.ranks;
    return route_by(grid_hops(ranks), std::move(view), pattern);
}

}  // namespace

NextHop grid_hops(int ranks) {
    const int side = side_of(ranks, 3);
    if (ranks <= side * side) return mesh_hops(ranks);
    return {3, [ranks, side](int phase, int at, int target) {
                if (phase == 2) return target;
                return along_line(ranks, side, phase == 0 ? side : side * side, at, target);
            }};
}

const Rule virtual_grid{
    .name = "grid",
    .summary = "along three dimensions of ranks: about 3 cbrt(P) messages",
    .route = route,
    .follows_next_hop = true,
    .rearranges = true,
};

}  // namespace carpool::routing
