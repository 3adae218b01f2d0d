#pragma once

#include "topology/weighted_graph.hpp"

#include <cstdint>
#include <vector>

namespace carpool::topology {

/// Swaps positions of different nodes as long as that leaves less between nodes, or until the
/// budget is used up. @param budget  pairs of positions that may be looked at
/// @return per position its node; as many positions per node as before
std::vector<int> swapped_nodes(const WeightedGraph& graph, std::vector<int> node_of,
                               std::int64_t budget);

}  // namespace carpool::topology
