// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "neighborhood_cases.hpp"
#include "random_source.hpp"
#include "routing/basis/additive_basis.hpp"
#include "routing/rule.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_basis)

using namespace carpool::routing;
using carpool::topology::Grid;
using carpool::topology::Neighborhood;
namespace topology = carpool::topology;

namespace {

std::vector<Value> values_of(const std::vector<int>& coordinates) {
    std::vector<Value> values;
    for (const int c : coordinates) values.push_back({c, 1});
    return values;
}

std::vector<int> interval(int first, int last) {
    std::vector<int> all;
    for (int c = first; c <= last; ++c)
        if (c != 0) all.push_back(c);
    return all;
}

using Steps = std::vector<std::vector<Step>>;

Steps basis_of(const std::vector<int>& coordinates, Signs signs,
               Pattern pattern = Pattern::alltoall) {
    const auto values = values_of(coordinates);
    return smallest_basis(values, signs, pattern);
}

std::set<std::pair<int, int>> distinct(const Steps& steps) {
    std::set<std::pair<int, int>> all;
    for (const auto& of_value : steps)
        for (const auto& [level, hop] : of_value) all.insert({level, hop});
    return all;
}

int size_of(const Steps& steps) { return static_cast<int>(distinct(steps).size()); }

int volume_of(const Steps& steps) {
    std::size_t sum = 0;
    for (const auto& of_value : steps) sum += of_value.size();
    return static_cast<int>(sum);
}

/// Checks that every value is the sum of its steps, that levels ascend, and that with own signs
/// every partial sum is between zero and the value.
void check_sums(const std::vector<int>& coordinates, const Steps& steps, Signs signs) {
    BOOST_REQUIRE(steps.size() == coordinates.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::int64_t sum = 0;
        int level = -1;
        for (const auto& step : steps[i]) {
            BOOST_TEST(step.level > level);
            level = step.level;
            if (signs == Signs::own) BOOST_TEST((step.hop > 0) == (coordinates[i] > 0));
            sum += step.hop;
        }
        BOOST_TEST(sum == coordinates[i]);
    }
}

bool sums_to_all(const std::vector<int>& basis, const std::vector<int>& coordinates) {
    std::set<int> sums{0};
    for (const int step : basis) {
        const auto before = sums;
        for (const int sum : before) sums.insert(sum + step);
    }
    return std::all_of(coordinates.begin(), coordinates.end(),
                       [&sums](int c) { return sums.contains(c); });
}

/// Can `basis` be completed with `size` steps, from `next` on, all within [-reach, reach]?
bool exists(std::vector<int>& basis, int size, int next, int reach,
            const std::vector<int>& coordinates) {
    if (size == 0) return sums_to_all(basis, coordinates);
    for (int step = next; step <= reach; ++step) {
        if (step == 0) continue;
        basis.push_back(step);
        const bool found = exists(basis, size - 1, step + 1, reach, coordinates);
        basis.pop_back();
        if (found) return true;
    }
    return false;
}

int least_size(const std::vector<int>& coordinates, int lowest, int reach) {
    std::vector<int> basis;
    int size = 0;
    while (!exists(basis, size, lowest, reach, coordinates)) ++size;
    return size;
}

std::vector<int> subset(int first, int last, unsigned bits) {
    std::vector<int> chosen;
    for (int c = first; c <= last; ++c) {
        if (c == 0) continue;
        if ((bits & 1) != 0) chosen.push_back(c);
        bits >>= 1;
    }
    return chosen;
}

Grid uniform_grid(int d, int size, bool periodic) {
    const auto n = static_cast<std::size_t>(d);
    return {std::vector<int>(n, size), std::vector<bool>(n, periodic)};
}

Plan planned(const Grid& grid, const Neighborhood& neighborhood, Pattern pattern) {
    return basis.plan(grid, neighborhood, pattern);
}

}  // namespace

BOOST_AUTO_TEST_CASE(seven_values_are_sums_of_three_steps) {
    const auto steps = basis_of(interval(1, 7), Signs::own);
    const std::set<std::pair<int, int>> wanted{{0, 1}, {1, 2}, {2, 4}};
    BOOST_TEST((distinct(steps) == wanted));
    BOOST_TEST(volume_of(steps) == 3 * 1 + 3 * 2 + 3);
}

BOOST_AUTO_TEST_CASE(the_examples_of_paper_1_have_their_sizes) {
    BOOST_TEST(size_of(basis_of(interval(1, 3), Signs::own)) == 2);
    BOOST_TEST(size_of(basis_of(interval(1, 7), Signs::own)) == 3);
    BOOST_TEST(size_of(basis_of(interval(1, 8), Signs::own)) == 4);
    // {1, 2, 3, 6} and {1, 2, 4, 8} are the paper's; others of 4 steps have less volume
    BOOST_TEST(volume_of(basis_of(interval(1, 8), Signs::own)) <= 13);
}

BOOST_AUTO_TEST_CASE(two_values_keep_a_step_each) {
    for (const auto signs : {Signs::own, Signs::mixed}) {
        BOOST_TEST(volume_of(basis_of({1, 2}, signs)) == 2);
        BOOST_TEST(volume_of(basis_of({-1, 1}, signs)) == 2);
        BOOST_TEST(volume_of(basis_of({-1000000000, 2000000000}, signs)) == 2);
    }
}

BOOST_AUTO_TEST_CASE(on_a_torus_both_signs_share_a_basis) {
    for (int radius = 1; radius <= 16; ++radius) {
        const auto values = static_cast<unsigned>(2 * radius);
        const auto steps = basis_of(interval(-radius, radius), Signs::mixed);
        BOOST_TEST(size_of(steps) == std::bit_width(values));
        check_sums(interval(-radius, radius), steps, Signs::mixed);
    }
}

BOOST_AUTO_TEST_CASE(on_a_mesh_each_sign_has_a_basis_of_its_own) {
    for (int radius = 1; radius <= 16; ++radius) {
        const auto steps = basis_of(interval(-radius, radius), Signs::own);
        BOOST_TEST(size_of(steps) == 2 * std::bit_width(static_cast<unsigned>(radius)));
        check_sums(interval(-radius, radius), steps, Signs::own);
    }
}

BOOST_AUTO_TEST_CASE(no_positive_set_up_to_9_has_a_smaller_basis) {
    for (unsigned bits = 1; bits < 1u << 9; ++bits) {
        const auto coordinates = subset(1, 9, bits);
        const auto steps = basis_of(coordinates, Signs::own);
        check_sums(coordinates, steps, Signs::own);
        BOOST_TEST(size_of(steps) == least_size(coordinates, 1, 9));
    }
}

BOOST_AUTO_TEST_CASE(no_set_within_4_has_a_smaller_basis_of_both_signs) {
    for (unsigned bits = 1; bits < 1u << 8; ++bits) {
        const auto coordinates = subset(-4, 4, bits);
        const auto steps = basis_of(coordinates, Signs::mixed);
        check_sums(coordinates, steps, Signs::mixed);
        BOOST_TEST(size_of(steps) == least_size(coordinates, -12, 12));
    }
}

BOOST_AUTO_TEST_CASE(thousands_of_far_values_are_divided_correctly) {
    const auto seed = first_seed();
    std::cout << "far values: CARPOOL_SEED=" << seed << std::endl;
    RandomSource random(seed);
    for (const int reach : {100, 5'000, 1'000'000'000}) {
        std::set<int> chosen{-reach, reach};
        for (int n = 0; n < 2'000; ++n) chosen.insert(random.between(-reach, reach));
        chosen.erase(0);
        const std::vector<int> coordinates(chosen.begin(), chosen.end());
        for (const auto signs : {Signs::own, Signs::mixed}) {
            const auto steps = basis_of(coordinates, signs);
            check_sums(coordinates, steps, signs);
            BOOST_TEST(size_of(steps) <= 64);
        }
    }
}

BOOST_AUTO_TEST_CASE(extreme_coordinates_are_divided_correctly) {
    constexpr int low = std::numeric_limits<int>::min();
    constexpr int high = std::numeric_limits<int>::max();
    for (const auto& coordinates : {std::vector{low, high}, std::vector{low, -1, 1, high},
                                    std::vector{low, low + 1, low + 2, low + 3}})
        for (const auto signs : {Signs::own, Signs::mixed})
            check_sums(coordinates, basis_of(coordinates, signs), signs);
}

BOOST_AUTO_TEST_CASE(gathering_an_interval_takes_no_more_volume_than_its_values) {
    for (int radius = 1; radius <= 16; ++radius) {
        const Neighborhood line(1, interval(1, radius));
        for (const bool periodic : {true, false}) {
            const auto plan = planned(uniform_grid(1, 1000, periodic), line, Pattern::allgather);
            BOOST_TEST(plan.rounds() == std::bit_width(static_cast<unsigned>(radius)));
            BOOST_TEST(plan.volume() == radius);
        }
    }
}

BOOST_AUTO_TEST_CASE(offsets_to_the_same_rank_of_a_small_torus_share_a_round) {
    const auto stencil = topology::box(3, 5, -1);
    const auto plan = planned(uniform_grid(3, 2, true), stencil, Pattern::alltoall);
    BOOST_TEST(plan.rounds() == 3);
    // coordinates -1, 1 and 3 are odd: 3 of 5, each in 25 offsets, in 3 dimensions
    BOOST_TEST(plan.volume() == 3 * 3 * 25);
    BOOST_TEST(planned(uniform_grid(3, 1, true), stencil, Pattern::alltoall).rounds() == 0);
    BOOST_TEST(planned(uniform_grid(3, 1, true), stencil, Pattern::allgather).volume() == 0);
}

BOOST_AUTO_TEST_CASE(basis_never_takes_more_rounds_than_cartesian) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) BOOST_TEST_CONTEXT(name) {
            for (const auto pattern : patterns) {
                for (const bool periodic : {true, false}) {
                    const auto grid = uniform_grid(neighborhood.dimensions(), 1 << 20, periodic);
                    BOOST_TEST(planned(grid, neighborhood, pattern).rounds() <=
                               cartesian.plan(grid, neighborhood, pattern).rounds());
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(no_route_leaves_the_mesh) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) BOOST_TEST_CONTEXT(name) {
            const auto grid = uniform_grid(neighborhood.dimensions(), 1 << 20, false);
            const auto plan = planned(grid, neighborhood, Pattern::alltoall);
            const auto way = plan.way_to_stops();
            const auto block = plan.block_of_stops();
            const auto d = static_cast<std::size_t>(neighborhood.dimensions());
            for (std::size_t stop = 0; stop < block.size(); ++stop)
                for (std::size_t k = 0; k < d; ++k) {
                    const int end = neighborhood[block[stop]][k];
                    BOOST_TEST(way[stop * d + k] >= std::min(0, end));
                    BOOST_TEST(way[stop * d + k] <= std::max(0, end));
                }
        }
}

BOOST_AUTO_TEST_CASE(the_least_number_of_phases_is_the_longest_chain) {
    const auto phases = [](const Rule& rule, const Neighborhood& n) {
        const auto plan = rule.plan(cases::wide_torus(n.dimensions()), n, Pattern::alltoall);
        return std::pair(plan.phases(), plan.least_phases());
    };
    BOOST_TEST((phases(direct, topology::moore(3, 2)) == std::pair(1, 1)));
    BOOST_TEST((phases(cartesian, topology::moore(3, 1)) == std::pair(3, 3)));
    BOOST_TEST((phases(cartesian, topology::von_neumann(3, 1)) == std::pair(3, 1)));
    // one block goes x, y; one waits for it and goes y, z; one waits for that and goes z, z
    BOOST_TEST((phases(torus, topology::von_neumann(3, 2)) == std::pair(6, 4)));
    BOOST_TEST((phases(direct, Neighborhood(1, {})) == std::pair(0, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
