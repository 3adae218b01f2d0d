// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/step_sets.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Vectors such that each offset of a neighborhood is a sum of some of them: the additive bases of
/// [1] §5 in any dimension. (1,1) .. (7,7) are sums of (1,1), (2,2) and (4,4).
struct VectorBasis {
    std::vector<std::vector<int>> steps;
    std::vector<StepSet> of_neighbor;  ///< the steps that each neighbor takes
    bool least = false;                ///< it is proved that no basis is smaller
};

/// The smallest basis that is found. Periodic dimensions are taken modulo their sizes; in mesh
/// dimensions an offset takes only steps of its own sign.
///
/// With up to 7 different offsets it is the smallest that exists; with more offsets it is so if the
/// search ends within its budget, or if the lower bound is met. Its volume is the least found among
/// bases of that size. The budget counts tries, not time, so all ranks find the same basis.
///
/// @param fewer_than  the basis must have fewer steps than this
/// @param weights  one for each neighbor's block, for the volume; none if all are 1
/// @return no steps if no such basis exists or if none was found; `least` is true in the first case
VectorBasis smallest_vector_basis(const topology::Grid& grid,
                                  const topology::Neighborhood& neighborhood, Pattern pattern,
                                  std::size_t fewer_than,
                                  std::span<const std::int64_t> weights = {});

}  // namespace carpool::routing
