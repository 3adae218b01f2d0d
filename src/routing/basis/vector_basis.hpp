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

/// Vectors of which each offset of a neighborhood is a sum of some: the additive bases of [1] §5 in
/// any dimension. (1,1) .. (7,7) are sums of (1,1), (2,2) and (4,4).
struct VectorBasis {
    std::vector<std::vector<int>> steps;
    std::vector<StepSet> of_neighbor;  ///< the steps that each one takes
    bool least = false;                ///< no basis is smaller, and that is proved
};

/// The smallest basis that is found, modulo the dimensions where the grid is periodic; where it is
/// a mesh an offset takes steps of its own signs only.
///
/// With up to 7 different offsets it is the smallest there is; with more where the search ends
/// within its budget, or where the bound is met. Among bases of that size the volume is the least
/// found. The budget counts tries, not time, so all ranks find the same.
///
/// @param fewer_than  looks for fewer steps than that
/// @param weights  of each neighbor's block, for the volume; none if all are 1
/// @return no steps where there are no such bases, or none was found; `least` then says which
VectorBasis smallest_vector_basis(const topology::Grid& grid,
                                  const topology::Neighborhood& neighborhood, Pattern pattern,
                                  std::size_t fewer_than,
                                  std::span<const std::int64_t> weights = {});

}  // namespace carpool::routing
