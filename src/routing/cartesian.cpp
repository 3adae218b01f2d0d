#include "routing/rule.hpp"

#include "routing/dimension_wise.hpp"

namespace carpool::routing {
namespace {

/// One hop of the whole coordinate: torus-direct of [1] §5, the schedule of [2] §3.
std::vector<Step> one_hop(int coordinate) {
    if (coordinate == 0) return {};
    return {{0, coordinate}};
}

Plan plan(const topology::Grid&, const topology::Neighborhood& neighborhood, Pattern pattern) {
    return plan_dimension_wise(neighborhood, pattern, one_hop);
}

}  // namespace

const Rule cartesian{"cartesian", "one hop per dimension, one dimension after the other", true,
                     plan};

}  // namespace carpool::routing
