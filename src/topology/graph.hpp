// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// An edge as one of its ends lists it. The label distinguishes several edges between the same two
/// ranks: both ends give an edge the same label.
struct Edge {
    int peer;  ///< no_rank for a neighbor that does not exist
    int label;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// The edges of one rank, in the order of its blocks.
struct Adjacency {
    std::vector<Edge> out;  ///< to the targets of its blocks
    std::vector<Edge> in;   ///< from the sources of the blocks that it receives
};

/// The edges of all ranks.
using Graph = std::vector<Adjacency>;

/// The edges to a list of neighbors, matched as MPI does: the k-th edge to a rank is matched with
/// the k-th edge from here in that rank's list.
std::vector<Edge> labelled(std::span<const int> peers);

/// The edges of one rank of a grid: block i goes to R + N[i], position i comes from R - N[i].
Adjacency adjacency(const Grid& grid, const Neighborhood& neighborhood, int rank);

Graph graph_of(const Grid& grid, const Neighborhood& neighborhood);

/// The graph in which each rank lists its targets; the sources of a rank are in ascending order.
Graph graph_of_targets(std::span<const std::vector<int>> targets);

/// An Erdos-Renyi digraph without self edges, where each edge exists with probability `density`
/// ([3] §VI-A); the same on every machine.
Graph random_graph(int ranks, double density, std::uint64_t seed);

/// The edges with their directions reversed.
Adjacency transposed(const Adjacency& edges);

}  // namespace carpool::topology
