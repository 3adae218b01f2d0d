#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// An edge as one of its ends lists it. Of several edges between the same two ranks the label says
/// which is which: both ends give it the same.
struct Edge {
    int peer;  ///< no_rank for a neighbor that does not exist
    int label;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// The edges of one rank, in the order in which its blocks lie.
struct Adjacency {
    std::vector<Edge> out;  ///< to the targets of its blocks
    std::vector<Edge> in;   ///< from the sources of what it receives
};

/// The edges of all ranks.
using Graph = std::vector<Adjacency>;

/// Edges by MPI's meaning of a list of neighbors: the k-th edge to a rank is matched with the k-th
/// edge that this rank lists from here.
std::vector<Edge> labelled(std::span<const int> peers);

/// The edges of one rank of a grid: block i goes to R + N[i], position i comes from R - N[i].
Adjacency adjacency(const Grid& grid, const Neighborhood& neighborhood, int rank);

Graph graph_of(const Grid& grid, const Neighborhood& neighborhood);

/// The graph in which each rank lists its targets; sources follow by ascending rank.
Graph graph_of_targets(std::span<const std::vector<int>> targets);

/// An Erdos-Renyi digraph without self edges, each edge there with that probability ([3] §VI-A);
/// the same on every machine.
Graph random_graph(int ranks, double density, std::uint64_t seed);

/// Every edge turned around.
Adjacency transposed(const Adjacency& edges);

}  // namespace carpool::topology
