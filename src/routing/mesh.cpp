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

/// [5] §2.2: along the row to the target's column, then along the column.
int next(int ranks, int phase, int at, int target) {
    return phase == 0 ? along_row(ranks, columns_of(ranks), at, target) : target;
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    return route_by({2, next}, view, pattern);
}

}  // namespace

const Rule virtual_mesh{"mesh", "along a row of ranks, then a column: about 2 sqrt(P) messages",
                        true, nullptr, route};

}  // namespace carpool::routing
