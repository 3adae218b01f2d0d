// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include "routing/basis/basis_legs.hpp"
#include "routing/basis/basis_plans.hpp"
#include "routing/dimension_wise.hpp"

#include <utility>

namespace carpool::routing {
namespace {

/// Takes vectors along any direction if they are fewer than those along dimensions. The latter are
/// found quickly for wide boxes, and are the best for these.
Plan plan(const topology::Grid& grid, const topology::Neighborhood& neighborhood, Pattern pattern) {
    auto legs = legs_by_dimension(grid, neighborhood, pattern);
    auto vectors = legs_by_vectors(grid, neighborhood, pattern, legs);
    if (!vectors.empty()) legs = std::move(vectors);
    return plan_along(legs, neighborhood.dimensions(), neighborhood.size(), pattern, one_hop);
}

}  // namespace

const Rule basis{
    .name = "basis",
    .summary = "few different hops, whose sums give all offsets",
    .automatic = true,
    .plan = plan,
    .plans = basis_plans,
};

}  // namespace carpool::routing
