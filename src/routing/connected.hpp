// SPDX-License-Identifier: MIT
#pragma once

#include "routing/program.hpp"
#include "topology/graph.hpp"

namespace carpool::routing {

/// Do the edges of all ranks, with their directions ignored, make one connected graph? Spanning
/// forests are merged up a binomial tree, in ceil(log2 P) + 1 supersteps and with less than 2P
/// words per message.
/// @pre the edges outlive the program
Program<bool> connected(int rank, int ranks, const topology::Adjacency* edges);

}  // namespace carpool::routing
