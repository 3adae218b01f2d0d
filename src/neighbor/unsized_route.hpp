#pragma once

#include "engine/steps.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

namespace carpool::neighbor {

/// Finds the best way for blocks like these, whose sizes only their two ends know. Sizes may be
/// others in later calls, which then are right, if not as quick.
/// @param tag  used only until it has been found
/// @pre candidates_planned
/// @note Collective
engine::Steps<UnsizedRoute> unsized_route_for(const Topology& topology, NeighborSettings settings,
                                              schedule::Operation operation, EdgeEnds ends,
                                              int tag);

}  // namespace carpool::neighbor
