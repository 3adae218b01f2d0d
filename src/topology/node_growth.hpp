// SPDX-License-Identifier: MIT
#pragma once

#include "topology/weighted_graph.hpp"

#include <span>
#include <vector>

namespace carpool::topology {

/// Fills nodes with positions, one node after the other. Each node begins beside those before it,
/// and repeatedly takes the position with the greatest weight of edges to the positions that it
/// has.
/// @param sizes  number of positions of each node; together those of the graph
/// @return the node of each position
std::vector<int> grown_nodes(const WeightedGraph& graph, std::span<const int> sizes);

}  // namespace carpool::topology
