// SPDX-License-Identifier: MIT
#include "routing/digits.hpp"
#include "routing/route_by.hpp"

namespace carpool::routing {
namespace {

/// The rank in the row of `at` and the target's column. The work of a hole in the last row is
/// shared among the other ranks of its column k: (i, j) sends to (j mod (rows - 1), k).
int along_row(int ranks, int columns, int at, int target) {
    const int rows = (ranks + columns - 1) / columns;
    const int corner = at / columns * columns + target % columns;
    if (corner < ranks) return corner;
    return at % columns % (rows - 1) * columns + target % columns;
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    const int ranks = view.ranks;
    return route_by(mesh_hops(ranks), std::move(view), pattern);
}

}  // namespace

NextHop mesh_hops(int ranks) {
    return {2, [ranks, columns = side_of(ranks, 2)](int phase, int at, int target) {
                return phase == 0 ? along_row(ranks, columns, at, target) : target;
            }};
}

const Rule virtual_mesh{
    .name = "mesh",
    .summary = "along a row of ranks, then a column: about 2 sqrt(P) messages",
    .route = route,
    .follows_next_hop = true,
    .rearranges = true,
};

}  // namespace carpool::routing
