// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include "routing/dimension_wise.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace carpool::routing {
namespace {

constexpr std::int64_t most_hops = 1 << 20;

/// |c| unit hops: the message-combining schedule of [1] §3 for torus networks.
std::vector<Step> unit_hops(int coordinate) {
    const auto hops = coordinate < 0 ? -std::int64_t{coordinate} : std::int64_t{coordinate};
    if (hops > most_hops)
        throw std::length_error("torus: an offset of " + std::to_string(coordinate) +
                                " needs more than 2^20 unit hops, use cartesian");
    std::vector<Step> steps;
    for (int level = 0; level < hops; ++level) steps.push_back({level, coordinate > 0 ? 1 : -1});
    return steps;
}

Plan plan(const topology::Grid&, const topology::Neighborhood& neighborhood, Pattern pattern) {
    return plan_dimension_wise(neighborhood, pattern, unit_hops);
}

}  // namespace

const Rule torus{
    .name = "torus",
    .summary = "unit hops, one dimension after the other",
    .plan = plan,
};

}  // namespace carpool::routing
