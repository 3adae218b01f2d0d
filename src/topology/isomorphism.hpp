#pragma once

#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::topology {

/// A graph seen as one neighborhood on a grid: the relative targets are the same on all ranks, only
/// listed in an order of each rank's own ([2] §2.2).
struct Isomorphism {
    Grid grid;
    Neighborhood neighborhood;
    std::vector<int> send_order;  ///< per position of the neighborhood, this rank's edge to there;
    std::vector<int> recv_order;  ///< from there; -1 where a mesh ends
};

/// The targets of one rank as a neighborhood on a grid, ascending; the shorter way round.
Neighborhood neighborhood_of(const Grid& grid, int rank, std::span<const Edge> out);

/// The same neighborhood by the shorter ways round: positions that lead to one rank have one
/// offset, and one that leads nowhere else the zero vector.
Neighborhood shortened(const Grid& grid, const Neighborhood& neighborhood);

/// How many different offsets from 0 there are along the dimensions: rounds of the rule cartesian.
int distinct_coordinates(const Neighborhood& neighborhood);

/// Tries one rank's edges on any number of grids.
class Recogniser {
public:
    Recogniser(int rank, const Adjacency& edges);

    /// The order of the rank's edges, if they are the neighborhood's, no more and no less.
    std::optional<Isomorphism> recognised(const Grid& grid, const Neighborhood& neighborhood) const;

private:
    /// Edges that lead somewhere and their numbers, by peer, those to one peer by label.
    using Sorted = std::vector<std::pair<Edge, int>>;
    static Sorted sorted(std::span<const Edge> edges);

    int rank_;
    Sorted out_, in_;
};

}  // namespace carpool::topology
