#pragma once

#include "routing/rule.hpp"

namespace carpool::routing {

/// Ways through a virtual topology of P ranks: in phase k a block at rank `at` goes to
/// `next(P, k, at, target)`, or stays if that is `at`; after the last phase it is at its target.
struct Ways {
    int phases;
    int (*next)(int ranks, int phase, int at, int target);
};

/// The first hop on a mesh of P ranks: along the row of `at` to the target's column. The last row
/// may have holes, whose work is shared among the other ranks of their column ([5] §2.2).
int along_row(int ranks, int columns, int at, int target);

/// Routes every block by these ways. Before a block travels its header does, with the targets that
/// it is still to reach, so that every rank on the way learns its part: one superstep per phase.
/// The one block of an allgather travels once to each hop that leads to some of its targets, a
/// multicast tree.
Program<Itinerary> route_by(Ways ways, GraphView view, Pattern pattern);

}  // namespace carpool::routing
