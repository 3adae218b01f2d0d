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

/// So many plans of a neighborhood are made at most.
inline constexpr std::size_t most_basis_plans = 8;

/// Plans from the smallest basis that is found to direct messages, of which none is better than
/// another in rounds, phases and volume: steps of a basis, along dimensions or of vectors, that are
/// taken one after the other or, consecutive ones, together. So some dimensions go as by cartesian
/// and others by a basis, or two of them at once. By ascending rounds.
///
/// None where there are more offsets than the search has time for. What is found depends on the
/// arguments alone.
///
/// @param weights  of each neighbor's block, for alltoall; none if all are 1
std::vector<Plan> basis_plans(const topology::Grid& grid,
                              const topology::Neighborhood& neighborhood, Pattern pattern,
                              std::span<const std::int64_t> weights = {});

/// What a plan asks for. @param weights  as above
Counts counts_of(const Plan& plan, std::span<const std::int64_t> weights = {});

}  // namespace carpool::routing
