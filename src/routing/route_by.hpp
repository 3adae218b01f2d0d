#pragma once

#include "routing/next_hop.hpp"
#include "routing/rule.hpp"

namespace carpool::routing {

/// Routes every block by these next_hop. Before a block travels its header does, with the targets
/// that it is still to reach, so that every rank on the way learns its part: one superstep per
/// phase. The one block of an allgather travels once to each hop that leads to some of its targets,
/// a multicast tree.
Program<Itinerary> route_by(NextHop next_hop, GraphView view, Pattern pattern);

}  // namespace carpool::routing
