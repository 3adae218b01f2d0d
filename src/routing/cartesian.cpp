// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include "routing/dimension_wise.hpp"

namespace carpool::routing {
namespace {

/// Torus-direct of [1] §5, the schedule of [2] §3.
Plan plan(const topology::Grid&, const topology::Neighborhood& neighborhood, Pattern pattern) {
    return plan_dimension_wise(neighborhood, pattern, one_hop);
}

}  // namespace

const Rule cartesian{
    .name = "cartesian",
    .summary = "one hop per dimension, one dimension after the other",
    .automatic = true,
    .plan = plan,
};

}  // namespace carpool::routing
