// SPDX-License-Identifier: MIT
#pragma once

#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::topology {

/// A graph seen as one neighborhood on a grid: the relative targets are the same on all ranks, but
/// each rank lists them in its own order ([2] §2.2).
struct Isomorphism {
    Grid grid;
    Neighborhood neighborhood;
    std::vector<int> send_order;  ///< per position of the neighborhood, this rank's edge to it
    std::vector<int> recv_order;  ///< likewise, the edge from it; -1 beyond the end of a mesh
};

/// The targets of one rank as a neighborhood on a grid, in ascending order, by the shorter way
/// around.
Neighborhood neighborhood_of(const Grid& grid, int rank, std::span<const Edge> out);

/// The same neighborhood by the shorter way around: positions that lead to the same rank have the
/// same offset, and a position that leads back to its origin has the zero vector.
Neighborhood shortened(const Grid& grid, const Neighborhood& neighborhood);

/// The number of different coordinates other than 0 in all dimensions: the rounds of the rule
/// cartesian.
int distinct_coordinates(const Neighborhood& neighborhood);

/// Compares one rank's edges with neighborhoods on any number of grids.
class Recogniser {
public:
    Recogniser(int rank, const Adjacency& edges);

    /// The order of the rank's edges, if they are exactly the neighborhood's.
    std::optional<Isomorphism> recognised(const Grid& grid, const Neighborhood& neighborhood) const;

private:
    /// Edges to existing ranks and their numbers, sorted by peer, then by label.
    using SortedEdges = std::vector<std::pair<Edge, int>>;
    static SortedEdges sorted(std::span<const Edge> edges);

    int rank_;
    SortedEdges out_, in_;
};

}  // namespace carpool::topology
