#include "routing/ways.hpp"

#include <cmath>

namespace carpool::routing {
namespace {

/// The least root with root^2 >= ranks.
int columns_of(int ranks) {
    int root = static_cast<int>(std::sqrt(ranks));
    while (root * root < ranks) ++root;
    return root;
}

/// [5] §2.2: along the row to the target's column, then along the column. The last row may have
/// holes, whose work is shared among the other ranks of their column.
int next(int ranks, int phase, int at, int target) {
    if (phase == 1) return target;
    const int columns = columns_of(ranks);
    const int rows = (ranks + columns - 1) / columns;
    const int corner = at / columns * columns + target % columns;
    if (corner < ranks) return corner;
    return at % columns % (rows - 1) * columns + target % columns;
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    return route_by({2, next}, view, pattern);
}

}  // namespace

const Rule virtual_mesh{"mesh", "along a row of ranks, then a column: about 2 sqrt(P) messages",
                        true, nullptr, route};

}  // namespace carpool::routing
