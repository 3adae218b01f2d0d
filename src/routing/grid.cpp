#include "routing/ways.hpp"

#include <cmath>

namespace carpool::routing {
namespace {

/// The least root with root^3 >= ranks.
int side_of(int ranks) {
    int root = static_cast<int>(std::cbrt(ranks));
    while (root * root * root < ranks) ++root;
    return root;
}

/// [5] §2.3: along x, y and z to the target. Ranks are numbered x first; in the last plane, which
/// may have holes, their work falls to the ranks below them. A single plane is a mesh.
int next(int ranks, int phase, int at, int target) {
    if (phase == 2) return target;
    const int side = side_of(ranks);
    if (phase == 0 && ranks <= side * side) return along_row(ranks, side, at, target);
    const int line = phase == 0 ? side : side * side;  // of ranks that differ in what is corrected
    int hop = at / line * line + target % line;
    while (hop >= ranks) hop -= side * side;
    return hop;
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    return route_by({3, next}, view, pattern);
}

}  // namespace

const Rule virtual_grid{"grid", "along three dimensions of ranks: about 3 cbrt(P) messages", true,
                        nullptr, route};

}  // namespace carpool::routing
