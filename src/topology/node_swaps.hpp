// SPDX-License-Identifier: MIT
#pragma once

#include "topology/weighted_graph.hpp"

#include <cstdint>
#include <vector>

namespace carpool::topology {

/// Swaps positions of different nodes as long as that reduces the weight between nodes, or until
/// the budget is used up. @param budget  pairs of positions that may be looked at
/// @return the node of each position; each node has as many positions as before
std::vector<int> swapped_nodes(const WeightedGraph& graph, std::vector<int> node_of,
                               std::int64_t budget);

}  // namespace carpool::topology
