// SPDX-License-Identifier: MIT
#pragma once

#include "engine/steps.hpp"
#include "neighbor/topology/edge_ends.hpp"
#include "neighbor/topology/settings.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"

namespace carpool::neighbor {

/// Finds the best route for blocks whose sizes only their two ends know, given the sizes of this
/// call. Later calls with other sizes are correct, but may be slower.
/// @param tag  used only until the route has been found
/// @pre candidates_planned
/// @note Collective
engine::Steps<UnsizedRoute> unsized_route_for(const Topology& topology, NeighborSettings settings,
                                              schedule::Operation operation, EdgeEnds ends,
                                              int tag);

}  // namespace carpool::neighbor
