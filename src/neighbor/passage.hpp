#pragma once

#include "neighbor/edge_ends.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// Finds the best way for blocks like these, whose sizes only their two ends know. Sizes may be
/// others in later calls, which then are right, if not as quick.
/// @pre candidates_planned
/// @note Collective over comm
Passage passage_for(const Topology& topology, const Settings& settings,
                    schedule::Operation operation, const EdgeEnds& ends, MPI_Comm comm);

}  // namespace carpool::neighbor
