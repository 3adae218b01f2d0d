// SPDX-License-Identifier: MIT
#pragma once

#include "routing/dimension_wise.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// A leg for each step of a smallest basis of each dimension.
/// @param weights  one for each neighbor's block, to compare bases of one size; none if all are 1
/// @param spare  additional steps in a dimension, where these reduce the volume
std::vector<Leg> legs_by_dimension(const topology::Grid& grid,
                                   const topology::Neighborhood& neighborhood, Pattern pattern,
                                   std::span<const std::int64_t> weights = {},
                                   std::size_t spare = 0);

/// A leg for each vector of a basis with fewer vectors than the given legs have hops; no legs if
/// there is no such basis.
std::vector<Leg> legs_by_vectors(const topology::Grid& grid,
                                 const topology::Neighborhood& neighborhood, Pattern pattern,
                                 std::span<const Leg> fewer_than,
                                 std::span<const std::int64_t> weights = {});

}  // namespace carpool::routing
