// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7 8 12
// nightly-ranks: 6 16 27
// sanitize-ranks: 2 4

#include <boost/test/unit_test.hpp>

#include "grid_case_checks.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_neighborhoods_on_grids)

namespace {

using namespace carpool::tests;

/// The cost of one start of a pattern: roughly what all ranks send.
double cost(const Place& place, const Variant& variant) {
    const bool reaches_far = std::string(variant.algorithm) == "torus";
    return variant.starts() * (10.0 + place.pattern.t() * (reaches_far ? 2 : 1)) * world_size();
}

double total_cost(const std::vector<Place>& places) {
    double sum = 0;
    for (const Place& place : places)
        for (const Variant& variant : variants()) sum += cost(place, variant);
    return sum * static_cast<double>(std::size(operations));
}

/// Draws each variant with the probability `share`.
std::vector<Variant> sample(double share, std::mt19937& rng) {
    std::vector<Variant> chosen;
    for (const Variant& variant : variants())
        if (static_cast<double>(rng()) < share * 4294967296.0) chosen.push_back(variant);
    return chosen;
}

/// The allowed cost of this run; CARPOOL_TEST_EFFORT=10 takes ten times as long.
double affordable() {
    const char* effort = std::getenv("CARPOOL_TEST_EFFORT");
    return (world_size() <= 2 ? 1.5e6 : 5e5) * (effort ? std::atof(effort) : 1.0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_operation_and_form_gives_what_the_oracle_gives) {
    auto rng = seeded();
    const auto places = grid_cases(world_size(), rng);
    const double share = affordable() / total_cost(places);
    for (const Place& place : places) {
        GridCaseChecks keeper(place);
        for (Operation operation : operations) keeper.run(operation, sample(share, rng));
        if (anywhere(keeper.faults() > 0)) return;  // the errors of one case are enough
    }
}

BOOST_AUTO_TEST_SUITE_END()
