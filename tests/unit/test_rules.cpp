// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "routing/rule.hpp"

#include "naive_trie.hpp"
#include "neighborhood_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_rules)

using namespace carpool::routing;
using carpool::topology::is_zero;
using carpool::topology::Neighborhood;

namespace {

Plan planned(std::string_view rule, const Neighborhood& neighborhood, Pattern pattern) {
    return find_rule(rule)->plan(cases::wide_torus(neighborhood.dimensions()), neighborhood,
                                 pattern);
}

/// Calls check(neighborhood) for each neighborhood, and names it in failures.
template <typename Check>
void for_each_neighborhood(Check check) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) BOOST_TEST_CONTEXT(name) {
            check(neighborhood);
        }
}

/// D of [1] §3.1: per dimension the farthest positive and the farthest negative coordinate.
int unit_rounds(const Neighborhood& neighborhood) {
    int rounds = 0;
    for (int k = 0; k < neighborhood.dimensions(); ++k) {
        int farthest = 0;
        int lowest = 0;
        for (int i = 0; i < neighborhood.size(); ++i) {
            farthest = std::max(farthest, neighborhood[i][static_cast<std::size_t>(k)]);
            lowest = std::min(lowest, neighborhood[i][static_cast<std::size_t>(k)]);
        }
        rounds += farthest - lowest;
    }
    return rounds;
}

/// sum of C_k of [2] proposition 3.2.
int distinct_coordinates(const Neighborhood& neighborhood) {
    std::set<std::pair<int, int>> distinct;
    for (int i = 0; i < neighborhood.size(); ++i)
        for (int k = 0; k < neighborhood.dimensions(); ++k)
            if (const int c = neighborhood[i][static_cast<std::size_t>(k)]; c != 0)
                distinct.insert({k, c});
    return static_cast<int>(distinct.size());
}

template <typename Cost>
std::int64_t sum_over_coordinates(const Neighborhood& neighborhood, Cost cost) {
    std::int64_t sum = 0;
    for (const int c : neighborhood.flat()) sum += cost(c);
    return sum;
}

std::set<std::vector<int>> distinct_nonzero_offsets(const Neighborhood& neighborhood) {
    std::set<std::vector<int>> offsets;
    for (int i = 0; i < neighborhood.size(); ++i)
        if (!is_zero(neighborhood[i]))
            offsets.insert({neighborhood[i].begin(), neighborhood[i].end()});
    return offsets;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rules_are_found_by_their_name_and_only_by_it) {
    for (const Rule* rule : rules()) BOOST_TEST(find_rule(rule->name) == rule);
    BOOST_TEST(find_rule("no such rule") == nullptr);
    BOOST_TEST(find_rule("") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_ring_of_two_neighbors_takes_two_rounds_by_any_rule) {
    for (const Rule* rule : grid_rules()) {
        for (const auto pattern : {Pattern::alltoall, Pattern::allgather}) {
            const auto plan = planned(rule->name, {1, {-1, 1}}, pattern);
            BOOST_TEST(plan.rounds() == 2);
            BOOST_TEST(plan.phases() == 1);
            BOOST_TEST(plan.volume() == 2);
            BOOST_TEST(plan.hop(0)[0] == -1);
            BOOST_TEST(plan.hop(1)[0] == 1);
        }
    }
}

// d dimensions, n coordinates -1 .. n-2 in each; t = n^d - 1 without the zero vector, C = d(n - 1).
// The ratio is (T - C) / (V - T) with the zero vector counted in T = n^d: only this gives 23 of the
// table's 24 figures. The other one, 1.167 for d = 2, n = 3, is a misprint of 1.667 = 5 / 3.
BOOST_AUTO_TEST_CASE(table_1_of_paper_2_is_reproduced) {
    struct Column {
        int d, n, t, rounds, allgather, alltoall, ratio_in_thousandths;
    };
    const std::vector<Column> table{
        {2, 3, 8, 4, 8, 12, 1667},         {2, 4, 15, 6, 15, 24, 1250},
        {2, 5, 24, 8, 24, 40, 1133},       {3, 3, 26, 6, 26, 54, 778},
        {3, 4, 63, 9, 63, 144, 688},       {3, 5, 124, 12, 124, 300, 646},
        {4, 3, 80, 8, 80, 216, 541},       {4, 4, 255, 12, 255, 768, 477},
        {4, 5, 624, 16, 624, 2000, 443},   {5, 3, 242, 10, 242, 810, 411},
        {5, 4, 1023, 15, 1023, 3840, 358}, {5, 5, 3124, 20, 3124, 12500, 331},
    };
    for (const auto& column : table) {
        BOOST_TEST_CONTEXT("d = " << column.d << ", n = " << column.n) {
            const auto neighborhood = carpool::topology::box(column.d, column.n, -1);
            const auto alltoall = planned("cartesian", neighborhood, Pattern::alltoall);
            const auto allgather = planned("cartesian", neighborhood, Pattern::allgather);
            BOOST_TEST(neighborhood.size() - 1 == column.t);
            BOOST_TEST(alltoall.rounds() == column.rounds);
            BOOST_TEST(allgather.rounds() == column.rounds);
            BOOST_TEST(allgather.volume() == column.allgather);
            BOOST_TEST(alltoall.volume() == column.alltoall);
            const double ratio = static_cast<double>(neighborhood.size() - alltoall.rounds()) /
                                 static_cast<double>(alltoall.volume() - neighborhood.size());
            BOOST_TEST(std::lround(1000 * ratio) == column.ratio_in_thousandths);
        }
    }
}

BOOST_AUTO_TEST_CASE(torus_takes_d_rounds_and_the_sum_of_norms_as_proposition_1_says) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        const auto plan = planned("torus", neighborhood, Pattern::alltoall);
        BOOST_TEST(plan.rounds() == unit_rounds(neighborhood));
        BOOST_TEST(plan.volume() == sum_over_coordinates(neighborhood, naive::unit_moves));
    });
}

BOOST_AUTO_TEST_CASE(torus_gathers_in_d_rounds_and_the_weight_of_the_trie_as_proposition_2_says) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        const auto plan = planned("torus", neighborhood, Pattern::allgather);
        BOOST_TEST(plan.rounds() == unit_rounds(neighborhood));
        if (neighborhood.dimensions() > 6) return;  // there the order comes from a heuristic
        BOOST_TEST(plan.volume() == naive::least_trie_cost(neighborhood, naive::unit_moves));
    });
}

BOOST_AUTO_TEST_CASE(every_hop_of_torus_leads_to_a_next_neighbor) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        for (const auto pattern : {Pattern::alltoall, Pattern::allgather}) {
            const auto plan = planned("torus", neighborhood, pattern);
            for (int round = 0; round < plan.rounds(); ++round) {
                const auto hop = plan.hop(round);
                const auto norm = std::transform_reduce(hop.begin(), hop.end(), 0, std::plus<>(),
                                                        [](int c) { return std::abs(c); });
                BOOST_TEST(norm == 1);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(cartesian_takes_the_rounds_and_volume_of_proposition_3_2) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        const auto plan = planned("cartesian", neighborhood, Pattern::alltoall);
        BOOST_TEST(plan.rounds() == distinct_coordinates(neighborhood));
        BOOST_TEST(plan.volume() == sum_over_coordinates(neighborhood, naive::one_move));
        BOOST_TEST(plan.phases() <= neighborhood.dimensions());
    });
}

// Only edges of nonzero coordinates count. The tree in the paper also has edges of zero
// coordinates, but along them its block does not move. Table 1 counts in this way.
BOOST_AUTO_TEST_CASE(cartesian_gathers_along_the_edges_of_the_tree_as_proposition_3_3_says) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        const auto plan = planned("cartesian", neighborhood, Pattern::allgather);
        BOOST_TEST(plan.rounds() == distinct_coordinates(neighborhood));
        BOOST_TEST(plan.phases() <= neighborhood.dimensions());
        if (neighborhood.dimensions() > 6) return;
        BOOST_TEST(plan.volume() == naive::least_trie_cost(neighborhood, naive::one_move));
    });
}

BOOST_AUTO_TEST_CASE(direct_sends_one_message_to_each_distinct_neighbor) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        const auto offsets = distinct_nonzero_offsets(neighborhood);
        std::int64_t blocks = 0;
        for (int i = 0; i < neighborhood.size(); ++i) blocks += !is_zero(neighborhood[i]);
        const auto alltoall = planned("direct", neighborhood, Pattern::alltoall);
        const auto allgather = planned("direct", neighborhood, Pattern::allgather);
        BOOST_TEST(alltoall.rounds() == static_cast<int>(offsets.size()));
        BOOST_TEST(allgather.rounds() == static_cast<int>(offsets.size()));
        BOOST_TEST(alltoall.volume() == blocks);
        BOOST_TEST(allgather.volume() == static_cast<std::int64_t>(offsets.size()));
    });
}

BOOST_AUTO_TEST_CASE(every_rule_delivers_each_position_once_and_at_its_offset) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        for (const Rule* rule : grid_rules()) {
            for (const auto pattern : {Pattern::alltoall, Pattern::allgather}) {
                const auto plan = planned(rule->name, neighborhood, pattern);
                const auto ways = plan.way_to_stops();
                const auto blocks = plan.block_of_stops();
                std::vector<int> delivered(static_cast<std::size_t>(neighborhood.size()), 0);
                for (const auto& [stop, position] : plan.deliveries()) {
                    const auto offset = neighborhood[position];
                    const auto way = ways.begin() + std::ptrdiff_t{stop} * plan.dimensions();
                    BOOST_TEST(std::equal(offset.begin(), offset.end(), way));
                    BOOST_TEST(blocks[static_cast<std::size_t>(stop)] ==
                               (pattern == Pattern::alltoall ? position : 0));
                    ++delivered[static_cast<std::size_t>(position)];
                }
                BOOST_TEST(std::count(delivered.begin(), delivered.end(), 1) ==
                           neighborhood.size());
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(every_move_of_every_rule_starts_where_an_earlier_phase_ended) {
    for_each_neighborhood([](const Neighborhood& neighborhood) {
        for (const Rule* rule : grid_rules()) {
            const auto plan = planned(rule->name, neighborhood, Pattern::allgather);
            std::vector<int> phase_of(static_cast<std::size_t>(plan.stops()), -1);
            for (int round = 0; round < plan.rounds(); ++round) {
                for (int stop = plan.first_stop(round); stop < plan.first_stop(round + 1); ++stop) {
                    phase_of[static_cast<std::size_t>(stop)] = plan.phase(round);
                    BOOST_TEST(phase_of[static_cast<std::size_t>(plan.from(stop))] <
                               plan.phase(round));
                }
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(torus_refuses_offsets_that_need_millions_of_hops) {
    BOOST_CHECK_THROW(planned("torus", {1, {1 << 21}}, Pattern::alltoall), std::length_error);
    BOOST_CHECK_THROW(planned("torus", {1, {std::numeric_limits<int>::min()}}, Pattern::alltoall),
                      std::length_error);
    BOOST_TEST(
        planned("cartesian", {1, {std::numeric_limits<int>::min()}}, Pattern::alltoall).volume() ==
        1);
}

BOOST_AUTO_TEST_SUITE_END()
