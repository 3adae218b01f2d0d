// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "routing/dimension_order.hpp"
#include "routing/rule.hpp"

#include "naive_trie.hpp"
#include "neighborhood_cases.hpp"
#include "random_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_dimension_order)

using carpool::routing::Axis;
using carpool::routing::axis_of;
using carpool::routing::Pattern;
using carpool::routing::Step;
using carpool::topology::Neighborhood;

namespace {

std::vector<Step> one_hop(int coordinate) {
    return coordinate == 0 ? std::vector<Step>{} : std::vector<Step>{{0, coordinate}};
}

std::vector<Step> unit_hops(int coordinate) {
    std::vector<Step> steps;
    for (int level = 0; level < std::abs(coordinate); ++level)
        steps.push_back({level, coordinate > 0 ? 1 : -1});
    return steps;
}

std::vector<int> order_of(const Neighborhood& neighborhood, const carpool::routing::Split& split) {
    std::vector<Axis> axes;
    for (int k = 0; k < neighborhood.dimensions(); ++k) axes.push_back(axis_of(neighborhood, k));
    return least_volume_order(axes, split);
}

std::int64_t allgather_volume(const char* rule, const Neighborhood& neighborhood) {
    return carpool::routing::find_rule(rule)
        ->plan(cases::wide_torus(neighborhood.dimensions()), neighborhood, Pattern::allgather)
        .volume();
}

/// Checks that the order found by the search is as cheap as the best of the d! orders, and that
/// rules use it.
void check_against_all_orders(const Neighborhood& neighborhood) {
    const auto edges = naive::least_trie_cost(neighborhood, naive::one_move);
    BOOST_TEST(naive::trie_cost(neighborhood, order_of(neighborhood, one_hop), naive::one_move) ==
               edges);
    BOOST_TEST(allgather_volume("cartesian", neighborhood) == edges);
    const auto weight = naive::least_trie_cost(neighborhood, naive::unit_moves);
    BOOST_TEST(naive::trie_cost(neighborhood, order_of(neighborhood, unit_hops),
                                naive::unit_moves) == weight);
    BOOST_TEST(allgather_volume("torus", neighborhood) == weight);
}

Neighborhood random_neighborhood(RandomSource& random) {
    const int d = random.between(1, 5);
    std::vector<int> flat(static_cast<std::size_t>(random.between(0, 12) * d));
    const int radius = random.between(1, 4);
    for (int& c : flat) c = random.between(-radius, radius);
    return {d, flat};
}

}  // namespace

// Offsets (-2,1,1) (-1,1,1) (1,1,1) (2,1,1). First dimension first, the tree has 4 branches of 3
// edges; last dimension first, one edge, one edge and 4 leaves. [2] gives V = 12 and V = 7, but
// that counts the edges of the left tree and the nodes of the right one; the volume is the number
// of edges ([2] proposition 3.3).
BOOST_AUTO_TEST_CASE(figure_2_takes_6_moves_and_not_12) {
    const auto neighborhood = cases::figure_2();
    BOOST_TEST(naive::trie_cost(neighborhood, {0, 1, 2}, naive::one_move) == 4 + 4 + 4);
    BOOST_TEST(naive::trie_cost(neighborhood, {2, 1, 0}, naive::one_move) == 1 + 1 + 4);
    BOOST_TEST(allgather_volume("cartesian", neighborhood) == 1 + 1 + 4);
    BOOST_TEST(order_of(neighborhood, one_hop).back() == 0);
}

// (1,1) (2,1) (1,2) in either order: 2 edges to the first coordinates, 3 below.
BOOST_AUTO_TEST_CASE(of_equal_orders_the_natural_one_is_taken) {
    const Neighborhood neighborhood(2, {1, 1, 2, 1, 1, 2});
    BOOST_TEST(order_of(neighborhood, one_hop) == (std::vector{0, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(allgather_volume("cartesian", neighborhood) == 2 + 3);
}

BOOST_AUTO_TEST_CASE(the_heuristic_of_paper_2_is_beaten_by_the_search) {
    bool beaten = false;
    RandomSource random(7);
    for (int i = 0; i < 300 && !beaten; ++i) {
        const auto neighborhood = random_neighborhood(random);
        std::vector<std::size_t> distinct;
        auto by_distinct = naive::natural_order(neighborhood.dimensions());
        for (const int k : by_distinct) distinct.push_back(axis_of(neighborhood, k).values.size());
        std::stable_sort(by_distinct.begin(), by_distinct.end(), [&](int a, int b) {
            return distinct[static_cast<std::size_t>(a)] < distinct[static_cast<std::size_t>(b)];
        });
        beaten = allgather_volume("cartesian", neighborhood) <
                 naive::trie_cost(neighborhood, by_distinct, naive::one_move);
    }
    BOOST_TEST(beaten);
}

BOOST_AUTO_TEST_CASE(the_search_finds_the_best_of_all_orders_for_all_neighborhoods) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        BOOST_TEST_CONTEXT(name) {
            if (neighborhood.dimensions() <= 6) check_against_all_orders(neighborhood);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_search_finds_the_best_of_all_orders_in_random_patterns) {
    const auto seed = first_seed();
    BOOST_TEST_MESSAGE("seed " << seed);
    for (std::uint64_t i = 0; i < 500; ++i) {
        RandomSource random(seed + i);
        BOOST_TEST_CONTEXT("seed " << seed + i) {
            check_against_all_orders(random_neighborhood(random));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_search_handles_six_dimensions) {
    RandomSource random(6);
    std::vector<int> flat(6 * 20);
    for (int& c : flat) c = random.between(-1, 1);
    check_against_all_orders({6, flat});
}

// Beyond 6 dimensions, dimensions are ordered by ascending number of distinct nonzero coordinates:
// dimension 6 - k has k.
BOOST_AUTO_TEST_CASE(thirteen_dimensions_are_ordered_by_their_distinct_coordinates) {
    std::vector<int> flat;
    for (int i = 0; i < 13; ++i)
        for (int k = 0; k < 13; ++k) flat.push_back(std::min(i, 12 - k));
    const std::vector wanted{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    BOOST_TEST(order_of({13, flat}, one_hop) == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
