// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/planner.hpp"
#include "neighborhood_cases.hpp"
#include "random_exchange.hpp"
#include "routing/basis/basis_plans.hpp"
#include "topology/isomorphism.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

// The plans between direct messages and the smallest basis: their figures, and that they deliver.

namespace carpool::routing {

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
    return out << counts.rounds << '/' << counts.phases << ' ' << counts.volume;
}

}  // namespace carpool::routing

BOOST_AUTO_TEST_SUITE(test_basis_plans)

using namespace carpool;
using routing::basis_plans;
using routing::Counts;
using routing::counts_of;
using routing::Limits;
using routing::Pattern;
using schedule::Operation;
using topology::Grid;
using topology::Neighborhood;

namespace {

Grid uniform(int dimensions, int ranks, bool periodic) {
    const auto d = static_cast<std::size_t>(dimensions);
    return {std::vector<int>(d, ranks), std::vector<bool>(d, periodic)};
}

std::vector<Counts> counts(const Grid& grid, const Neighborhood& neighborhood, Pattern pattern,
                           std::span<const std::int64_t> weights = {}) {
    std::vector<Counts> all;
    for (const auto& plan : basis_plans(grid, neighborhood, pattern, weights))
        all.push_back(counts_of(
            plan, pattern == Pattern::alltoall ? weights : std::span<const std::int64_t>{}));
    return all;
}

Neighborhood line(int first, int last) {
    std::vector<int> flat;
    for (int c = first; c <= last; ++c) flat.push_back(c);
    return {1, flat};
}

Neighborhood diagonal_7() { return {2, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}}; }

std::string repeated_by(std::uint64_t seed) {
    return "CARPOOL_SEED=" + std::to_string(seed) + " CARPOOL_RANDOM_CASES=1";
}

/// The block sizes of an exchange in the form of the operation.
std::vector<std::int64_t> sizes_for(Operation operation, const Exchange& exchange) {
    if (operation != Operation::alltoall) return {8};
    return exchange.pattern == Pattern::alltoall
               ? exchange.block_bytes
               : equal_blocks(exchange.neighborhood, Pattern::alltoall, 8);
}

std::vector<std::string> complaints(choose::Planner& planner, const choose::GridPlan& plan,
                                    const Exchange& exchange, Operation operation) {
    const auto bytes = sizes_for(operation, exchange);
    std::vector<schedule::Schedule> schedules;
    for (int rank = 0; rank < exchange.grid.size(); ++rank)
        schedules.push_back(planner.placed(plan, operation, rank, bytes));
    if (schedule::reduces(operation))
        return schedule::verify(
            schedules, schedule::expected_sums(operation, exchange.grid, exchange.neighborhood,
                                               bytes.front()));
    return schedule::verify(schedules,
                            schedule::expected(schedule::pattern_of(operation), exchange.grid,
                                               exchange.neighborhood, bytes));
}

}  // namespace

// (1) (2) (4) sends 3 * 1 + 3 * 2 + 1 * 3 blocks; in (1 2) (4) there are hops of 1, 2, 3 and of 4,
// so 5, 6 and 7 take two hops; (1 2 4) is direct.
BOOST_AUTO_TEST_CASE(seven_offsets_take_three_four_or_seven_rounds) {
    const std::vector<Counts> wanted{{3, 3, 12}, {4, 2, 10}, {7, 1, 7}};
    for (const bool periodic : {true, false}) {
        BOOST_TEST(counts(uniform(1, 40, periodic), line(1, 7), Pattern::alltoall) == wanted,
                   boost::test_tools::per_element());
        BOOST_TEST(counts(uniform(2, 40, periodic), diagonal_7(), Pattern::alltoall) == wanted,
                   boost::test_tools::per_element());
    }
}

// 6 faces, 12 edges, 8 corners take 1, 2, 3 hops. Two dimensions combined have 8 hops, and then
// only the 16 blocks that also move along the third dimension take two.
BOOST_AUTO_TEST_CASE(of_27_points_two_dimensions_may_go_together) {
    const std::vector<Counts> wanted{{6, 3, 6 + 2 * 12 + 3 * 8}, {8 + 2, 2, 26 + 16}, {26, 1, 26}};
    for (const bool periodic : {true, false})
        BOOST_TEST(
            counts(uniform(3, 9, periodic), topology::moore(3, 1), Pattern::alltoall) == wanted,
            boost::test_tools::per_element());
}

// Coordinates from -1 to 3 in 3 dimensions, or a basis in some of them.
BOOST_AUTO_TEST_CASE(some_dimensions_take_a_basis_and_others_one_round) {
    const auto found = counts(uniform(3, 37, true), topology::moore(3, 3), Pattern::alltoall);
    const std::vector<Counts> wanted{
        {9, 9, 1323}, {13, 5, 1099}, {18, 3, 882}, {40, 2, 644}, {342, 1, 342}};
    BOOST_TEST(found == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_plan_of_random_exchanges_delivers_by_every_operation) {
    const auto seed = first_seed();
    const auto cases = random_cases(400);
    std::cout << "basis plans: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    std::size_t several = 0;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto exchange = random_exchange(random);
        choose::Planner planner(exchange.grid, exchange.neighborhood);
        for (const auto operation : schedule::operations()) {
            const auto plans =
                planner.others(routing::basis, operation, sizes_for(operation, exchange));
            several += plans.empty() ? 0 : 1;
            for (const auto& plan : plans) {
                const auto wrong = complaints(planner, plan, exchange, operation);
                BOOST_TEST_REQUIRE(wrong.empty(),
                                   repeated_by(seed + i)
                                       << ": " << plan.name() << ' ' << schedule::name_of(operation)
                                       << ' ' << described(exchange) << ": " << joined(wrong));
            }
        }
    }
    if (cases >= 100) BOOST_TEST(several > 0);  // about one in five, so no chance leaves none
}

BOOST_AUTO_TEST_CASE(the_set_has_both_extremes_and_no_plan_that_another_dominates) {
    const auto seed = first_seed();
    const auto cases = random_cases(400);
    std::cout << "sets of plans: CARPOOL_SEED=" << seed << std::endl;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto grid = random_grid(random);
        const auto given = random_neighborhood(random, grid.dimensions());
        const auto offsets = topology::shortened(grid, given);
        for (const auto pattern : patterns) {
            const auto found = counts(grid, offsets, pattern);
            if (found.empty()) {
                BOOST_TEST(routing::direct.plan(grid, offsets, pattern).rounds() == 0);
                continue;
            }
            BOOST_TEST_CONTEXT(repeated_by(seed + i)) {
                BOOST_TEST(found.size() <= routing::most_basis_plans);
                for (const auto& one : found)
                    for (const auto& other : found) BOOST_TEST(!one.better_than(other));
                BOOST_TEST(std::is_sorted(found.begin(), found.end()));
                const auto smallest = counts_of(routing::basis.plan(grid, offsets, pattern));
                const auto direct = counts_of(routing::direct.plan(grid, offsets, pattern));
                BOOST_TEST(found.front().rounds <= smallest.rounds);
                const auto few = std::min_element(
                    found.begin(), found.end(),
                    [](const auto& a, const auto& b) { return a.phases < b.phases; });
                BOOST_TEST(few->phases == 1);
                BOOST_TEST(few->rounds <= direct.rounds);
                if (pattern == Pattern::alltoall) BOOST_TEST(few->volume == direct.volume);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(neither_cartesian_nor_basis_beats_the_set_of_plans) {
    for (const auto& [name, neighborhood] : cases::neighborhoods())
        for (const auto pattern : patterns) {
            const auto grid = cases::wide_torus(neighborhood.dimensions());
            const auto found = counts(grid, neighborhood, pattern);
            for (const auto* rule : {&routing::cartesian, &routing::basis}) {
                const auto known = counts_of(rule->plan(grid, neighborhood, pattern));
                BOOST_TEST(std::none_of(found.begin(), found.end(),
                                        [&](const auto& one) { return known.better_than(one); }),
                           rule->name << ' ' << known << " on " << name << ' ' << name_of(pattern));
            }
        }
}

BOOST_AUTO_TEST_CASE(equal_neighborhoods_have_equal_sets) {
    RandomSource random(9);
    for (int i = 0; i < 20; ++i) {
        const auto exchange = random_exchange(random);
        const auto weights = exchange.pattern == Pattern::alltoall ? exchange.block_bytes
                                                                   : std::vector<std::int64_t>{};
        const auto once =
            basis_plans(exchange.grid, exchange.neighborhood, exchange.pattern, weights);
        const auto again =
            basis_plans(exchange.grid, exchange.neighborhood, exchange.pattern, weights);
        BOOST_TEST_REQUIRE(once.size() == again.size());
        for (std::size_t plan = 0; plan < once.size(); ++plan) {
            BOOST_TEST(once[plan].way_to_stops() == again[plan].way_to_stops(),
                       boost::test_tools::per_element());
            BOOST_TEST((once[plan].rounds_by_phase() == again[plan].rounds_by_phase()));
        }
    }
}

// If the routes have nothing in common, there are too many plans to compare; then each rule has its
// one plan.
BOOST_AUTO_TEST_CASE(where_the_search_would_take_long_there_is_no_set) {
    RandomSource random(4);
    std::vector<int> flat;
    for (int i = 0; i < 3 * 200'000; ++i) flat.push_back(random.between(-500, 500));
    const Grid grid = uniform(3, 2000, true);
    const Neighborhood many(3, flat);
    BOOST_TEST(basis_plans(grid, many, Pattern::alltoall).empty());
    choose::Planner planner(grid, many);
    const auto asked = planner.planned(routing::basis, Operation::alltoall, Limits{100});
    BOOST_TEST(asked.plan().rounds() ==
               routing::basis.plan(grid, many, Pattern::alltoall).rounds());
    BOOST_TEST(planner.automatic(Operation::alltoall).size() == 3);
}

BOOST_AUTO_TEST_CASE(a_long_block_takes_one_hop_of_a_basis_as_small) {
    for (int heavy = 1; heavy <= 8; ++heavy) {
        std::vector<std::int64_t> weights(8, 1);
        weights[static_cast<std::size_t>(heavy - 1)] = 1000;
        const auto plans =
            basis_plans(uniform(1, 40, false), line(1, 8), Pattern::alltoall, weights);
        BOOST_TEST(plans.front().rounds() == 4);
        const auto found = counts_of(plans.front(), weights);
        BOOST_TEST(found.volume < 2000, "offset " << heavy << ": " << found);
    }
}

BOOST_AUTO_TEST_CASE(blocks_without_bytes_weigh_nothing_and_arrive) {
    const Exchange exchange{uniform(2, 5, true), topology::moore(2, 2), Pattern::alltoall,
                            std::vector<std::int64_t>(24, 0)};
    const auto plans =
        basis_plans(exchange.grid, exchange.neighborhood, exchange.pattern, exchange.block_bytes);
    BOOST_TEST(!plans.empty());
    for (const auto& plan : plans)
        BOOST_TEST(schedule::verify(exchange.placed(plan), exchange.expected()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
