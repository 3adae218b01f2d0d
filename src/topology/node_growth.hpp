#pragma once

#include "topology/weighted_graph.hpp"

#include <span>
#include <vector>

namespace carpool::topology {

/// Fills nodes with positions, one node after the other: each begins beside those before it, and
/// takes again and again the position that most passes to and from what it has.
/// @param sizes  positions of each node; together those of the graph
/// @return per position its node
std::vector<int> grown_nodes(const WeightedGraph& graph, std::span<const int> sizes);

}  // namespace carpool::topology
