// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/trade_off.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// The most plans that are made for a neighborhood.
inline constexpr std::size_t most_basis_plans = 8;

/// Plans by ascending rounds, from the smallest basis that is found to direct messages; none is
/// better than another in rounds, phases and volume. They take the steps of a basis, along
/// dimensions or of vectors, one after the other, or take consecutive steps together. So blocks
/// travel along some dimensions as by the rule cartesian and along others by a basis, or along two
/// dimensions at once.
///
/// There are none if the neighborhood has more offsets than the search has time for. The result
/// depends only on the arguments.
///
/// @param weights  one for each neighbor's block, for alltoall; none if all are 1
std::vector<Plan> basis_plans(const topology::Grid& grid,
                              const topology::Neighborhood& neighborhood, Pattern pattern,
                              std::span<const std::int64_t> weights = {});

/// The rounds, phases and volume of a plan. @param weights  as above
Counts counts_of(const Plan& plan, std::span<const std::int64_t> weights = {});

}  // namespace carpool::routing
