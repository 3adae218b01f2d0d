#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"
#include "topology/nodes.hpp"
#include "topology/weighted_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// Which position of a grid or graph each rank takes, so that little passes between nodes: never
/// more than where each takes that of its own number.
struct Mapping {
    std::vector<int> positions;  ///< per rank
    std::int64_t between;        ///< weight of what passes between nodes
    std::int64_t unmapped;       ///< the same where each rank takes the position of its number
};

/// On a grid. Where all nodes have as many ranks, blocks that tile it are compared exactly;
/// else rows of blocks are cut. What is best of these, and of the order given, stays unless a
/// search as on graphs finds a tenth less, on a grid of at most 2^20 edges.
/// @param weights  per offset, at least 0; 1 each where none are given
Mapping mapping_of(const Grid& grid, const Neighborhood& neighborhood, std::span<const int> weights,
                   const Nodes& nodes);

/// On a graph: nodes are grown, and positions swapped within a budget.
Mapping mapping_of(const WeightedGraph& graph, const Nodes& nodes);

}  // namespace carpool::topology
