// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"
#include "topology/nodes.hpp"
#include "topology/weighted_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// Which position of a grid or graph each rank takes, so that little is sent between nodes: never
/// more than if each rank took the position of its own number.
struct Mapping {
    std::vector<int> positions;  ///< per rank
    std::int64_t between;        ///< weight of the edges between nodes
    std::int64_t unmapped;       ///< the same if each rank takes the position of its number
};

/// The mapping on a grid. If all nodes have the same number of ranks, the blocks that tile the grid
/// are compared exactly; otherwise rows of blocks are cut into nodes. The best of these and of the
/// order given is taken, unless a search as on graphs finds a tenth less, on a grid of at most 2^20
/// edges.
/// @param weights  per offset, at least 0; 1 each where none are given
Mapping mapping_of(const Grid& grid, const Neighborhood& neighborhood, std::span<const int> weights,
                   const Nodes& nodes);

/// The mapping on a graph: nodes are grown, and positions are swapped within a budget.
Mapping mapping_of(const WeightedGraph& graph, const Nodes& nodes);

}  // namespace carpool::topology
