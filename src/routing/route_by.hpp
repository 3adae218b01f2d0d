// SPDX-License-Identifier: MIT
#pragma once

#include "routing/next_hop.hpp"
#include "routing/rule.hpp"

namespace carpool::routing {

/// Routes every block by this next_hop. A header travels along the route ahead of each block, with
/// the targets that the block is still to reach, so that every rank on the route can plan its part:
/// one superstep per phase. A block of an allgather or multicast travels once to each hop that
/// leads to some of its targets, along a tree.
Program<Itinerary> route_by(NextHop next_hop, GraphView view, Pattern pattern);

}  // namespace carpool::routing
