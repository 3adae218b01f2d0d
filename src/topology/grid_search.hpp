#pragma once

#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/isomorphism.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::topology {

/// Looks for the torus or mesh on which all ranks have one neighborhood. All ranks search the same
/// grids, and say of each whether it fits them; one OR tells them which fit everywhere.
///
///     GridSearch search(ranks, model, targets);        the same on all ranks
///     auto misfits = search.misfits(rank, edges);      local
///     ... the OR of all ranks' ...
///     search.best(misfits, rank, edges);
///
/// Searched are, as far as a budget of comparisons lasts: all products that make so many ranks, of
/// as many dimensions as there are, in every order (so column by column too), up to four dimensions
/// with all ways to be periodic, and above all of them or none; and then two and three dimensions
/// numbered block by block.
class GridSearch {
public:
    /// @param model    a rank that has all neighbors, if any has
    /// @param targets  of that rank
    GridSearch(int ranks, int model, std::span<const Edge> targets);

    /// How many grids are searched.
    int size() const { return size_; }

    /// A bit for each grid on which these edges are not the model's neighborhood.
    std::vector<std::uint64_t> misfits(int rank, const Adjacency& edges) const;

    /// Of the grids that fit, the first of those on which the rule cartesian needs fewest rounds.
    std::optional<Isomorphism> best(std::span<const std::uint64_t> misfits, int rank,
                                    const Adjacency& edges) const;

private:
    Neighborhood neighborhood(const Grid& grid) const;

    int model_;
    std::vector<Edge> targets_;
    std::vector<std::vector<Grid>> grids_;  // the ways in which a shape may be periodic
    int size_ = 0;
};

}  // namespace carpool::topology
