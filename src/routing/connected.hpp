#pragma once

#include "routing/program.hpp"
#include "topology/graph.hpp"

namespace carpool::routing {

/// Do edges, whichever way they lead, connect all ranks? Spanning forests are joined up a binomial
/// tree: ceil(log2 P) + 1 supersteps, less than 2P words in a message.
/// @pre the edges outlive the program
Program<bool> connected(int rank, int ranks, const topology::Adjacency* edges);

}  // namespace carpool::routing
