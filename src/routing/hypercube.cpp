#include "routing/ways.hpp"

#include <bit>

namespace carpool::routing {
namespace {

int dimensions_of(int ranks) { return std::bit_width(static_cast<unsigned>(ranks)) - 1; }

/// [5] §2.4: the next lower hypercube, a dimension at a time; ranks outside give all to, and get
/// all from, the rank in it that differs in the highest bit alone.
int next(int ranks, int phase, int at, int target) {
    const int inside = (1 << dimensions_of(ranks)) - 1;
    if (phase == 0) return at & inside;
    if (phase > dimensions_of(ranks)) return target;
    const int bit = 1 << (phase - 1);
    return (at & ~bit) | (target & bit);
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    return route_by({dimensions_of(view.ranks) + 2, next}, view, pattern);
}

}  // namespace

const Rule hypercube{"hypercube", "one hop per bit in which the ranks differ: log2(P) messages",
                     true, nullptr, route};

}  // namespace carpool::routing
