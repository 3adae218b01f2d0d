// SPDX-License-Identifier: MIT
#pragma once

#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/isomorphism.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::topology {

/// Looks for a torus or mesh on which all ranks have the same neighborhood. All ranks search the
/// same grids, and each finds the grids that do not fit its edges; one OR over all ranks shows
/// which grids fit everywhere.
///
///     GridSearch search(ranks, model, targets);        the same on all ranks
///     auto misfits = search.misfits(rank, edges);      local
///     ... the OR of all ranks' ...
///     search.best(misfits, rank, edges);
///
/// As far as a budget of comparisons lasts, the search covers all products that equal the number of
/// ranks, with any number of factors in every order (so column by column too). Up to four
/// dimensions it tries every choice of periodic dimensions, above that all of them or none. Then it
/// covers two and three dimensions numbered block by block.
class GridSearch {
public:
    /// @param model    a rank that has all neighbors, if any has
    /// @param targets  the targets of that rank
    GridSearch(int ranks, int model, std::span<const Edge> targets);

    /// The number of grids that are searched.
    int size() const { return size_; }

    /// One bit per grid, set if these edges are not the model's neighborhood on that grid.
    std::vector<std::uint64_t> misfits(int rank, const Adjacency& edges) const;

    /// Among the grids that fit, the first on which the rule cartesian needs the fewest rounds.
    std::optional<Isomorphism> best(std::span<const std::uint64_t> misfits, int rank,
                                    const Adjacency& edges) const;

private:
    Neighborhood neighborhood(const Grid& grid) const;

    int model_;
    std::vector<Edge> targets_;
    std::vector<std::vector<Grid>> grids_;  // per shape, one for each choice of periods
    int size_ = 0;
};

}  // namespace carpool::topology
