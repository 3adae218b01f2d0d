// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/planner.hpp"
#include "graph_exchange.hpp"
#include "random_exchange.hpp"
#include "topology/isomorphism.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_small_tori)

// On a torus with a short dimension, several positions of a neighborhood lead to the same rank.

using namespace carpool;
using schedule::Operation;
using schedule::Schedule;
using topology::Grid;
using topology::Neighborhood;

namespace {

/// A declared neighborhood, planned in the same way as by the library.
struct Declared {
    Grid grid;
    Neighborhood neighborhood;
    Operation operation;
    std::vector<std::int64_t> block_bytes =
        schedule::reduces(operation)
            ? std::vector<std::int64_t>{8}
            : equal_blocks(neighborhood, schedule::pattern_of(operation), 8);

    std::vector<Schedule> schedules(const routing::Rule& rule) const {
        choose::Planner planner(grid, neighborhood);
        const auto plan = planner.planned(rule, operation);
        std::vector<Schedule> all;
        for (int rank = 0; rank < grid.size(); ++rank)
            all.push_back(planner.placed(plan, operation, rank, block_bytes));
        return all;
    }

    schedule::Postcondition expected() const {
        if (schedule::reduces(operation))
            return schedule::expected_sums(operation, grid, neighborhood, block_bytes.front());
        return schedule::expected(schedule::pattern_of(operation), grid, neighborhood, block_bytes);
    }
};

/// Does a rank send a message to itself, or two messages to another rank in one phase?
std::string waste(const std::vector<Schedule>& schedules) {
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
        std::set<std::pair<int, int>> seen;
        for (const auto& round : schedules[rank].rounds) {
            if (round.send.parts.empty()) continue;
            const auto to = " sends to " + std::to_string(round.send.peer);
            if (round.send.peer == static_cast<int>(rank) ||
                !seen.emplace(round.phase, round.send.peer).second)
                return std::to_string(rank) + to + " in phase " + std::to_string(round.phase);
        }
    }
    return "";
}

std::int64_t most_messages(const std::vector<Schedule>& schedules) {
    std::int64_t most = 0;
    for (const auto& schedule : schedules) most = std::max(most, schedule::messages_sent(schedule));
    return most;
}

std::int64_t most_blocks(const std::vector<Schedule>& schedules) {
    std::int64_t most = 0;
    for (const auto& schedule : schedules) most = std::max(most, schedule::blocks_sent(schedule));
    return most;
}

/// Dimensions of 1 to 3 ranks, sometimes more, periodic or not.
Grid small_grid(RandomSource& random) {
    const auto d = static_cast<std::size_t>(random.between(1, 4));
    std::vector<int> dims(d);
    std::vector<bool> periods(d);
    for (auto& dim : dims) dim = random.between(1, random.one_in(6) ? 5 : 3);
    for (std::size_t k = 0; k < d; ++k) periods[k] = !random.one_in(4);
    return {dims, periods};
}

const Grid cube({2, 2, 2}, {true, true, true});
const Neighborhood points_27 = topology::moore(3, 1);

/// The neighbors of every rank, as a user of MPI's graphs lists them.
topology::Graph listed(const Grid& grid, const Neighborhood& neighborhood) {
    std::vector<std::vector<int>> targets;
    for (const auto& edges : graph_of(grid, neighborhood)) {
        auto& mine = targets.emplace_back();
        for (const auto& edge : edges.out) mine.push_back(edge.peer);
    }
    return topology::graph_of_targets(targets);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_coordinate_takes_the_shorter_way_round_a_torus_and_stays_on_a_mesh) {
    const Grid grid({4, 4}, {true, false});
    const int given[] = {0, 1, 2, 3, 4, -1, -2, -3, 1'000'000'003};
    const int shorter[] = {0, 1, 2, -1, 0, -1, 2, 1, -1};
    for (std::size_t i = 0; i < std::size(given); ++i) {
        BOOST_TEST(grid.shortest(0, given[i]) == shorter[i]);
        BOOST_TEST(grid.shortest(1, given[i]) == given[i]);
    }
}

BOOST_AUTO_TEST_CASE(no_rule_sends_two_messages_to_one_rank_at_one_time_nor_any_to_its_own) {
    const auto seed = first_seed();
    const auto cases = random_cases(2000);
    std::cout << "small tori: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        auto grid = small_grid(random);
        const auto neighborhood = random_neighborhood(random, grid.dimensions());
        for (const auto operation : schedule::operations()) {
            const Declared declared{grid, neighborhood, operation};
            for (const auto* rule : routing::grid_rules()) {
                const auto schedules = declared.schedules(*rule);
                const auto complaints = schedule::verify(schedules, declared.expected());
                const auto wasted = waste(schedules);
                BOOST_TEST_REQUIRE((complaints.empty() && wasted.empty()),
                                   "CARPOOL_SEED=" << seed + i
                                                   << " CARPOOL_RANDOM_CASES=1: " << rule->name
                                                   << ' ' << schedule::name_of(operation) << ": "
                                                   << wasted << ' ' << joined(complaints));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_arrive_on_small_tori) {
    RandomSource random(17);
    for (int i = 0; i < 200; ++i) {
        auto grid = small_grid(random);
        const auto neighborhood = random_neighborhood(random, grid.dimensions());
        Declared declared{grid, neighborhood, Operation::alltoall};
        for (auto& size : declared.block_bytes) size = random.one_in(3) ? 0 : random.between(1, 9);
        for (const auto* rule : routing::grid_rules())
            BOOST_TEST(schedule::verify(declared.schedules(*rule), declared.expected()).empty(),
                       rule->name << " in case " << i);
    }
}

BOOST_AUTO_TEST_CASE(on_two_ranks_per_dimension_27_points_take_7_messages_or_3) {
    for (const auto operation : schedule::operations()) {
        const Declared declared{cube, points_27, operation};
        BOOST_TEST(most_messages(declared.schedules(routing::direct)) == 7);
        for (const auto* rule : routing::grid_rules())
            if (rule != &routing::direct)
                BOOST_TEST(most_messages(declared.schedules(*rule)) == 3,
                           rule->name << ' ' << schedule::name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(as_given_26_offsets_take_26_messages_or_6_and_every_block_arrives) {
    const auto as_given = cube.with_offsets_as_given();
    BOOST_TEST(as_given.shortest(0, 5) == 5);
    BOOST_TEST(as_given.offset_between(0, 1) == cube.offset_between(0, 1));
    for (const auto operation : schedule::operations()) {
        const Declared declared{as_given, points_27, operation};
        BOOST_TEST(most_messages(declared.schedules(routing::direct)) == 26);
        for (const auto* rule : {&routing::torus, &routing::cartesian})
            BOOST_TEST(most_messages(declared.schedules(*rule)) == 6);
    }
    RandomSource random(29);
    for (int i = 0; i < 200; ++i) {
        const auto grid = small_grid(random).with_offsets_as_given();
        const auto neighborhood = random_neighborhood(random, grid.dimensions());
        for (const auto operation : schedule::operations()) {
            const Declared declared{grid, neighborhood, operation};
            for (const auto* rule : routing::grid_rules())
                BOOST_TEST(schedule::verify(declared.schedules(*rule), declared.expected()).empty(),
                           rule->name << ' ' << schedule::name_of(operation) << " in case " << i);
        }
    }
}

// An allgather sends 7 copies of its one block by each rule, as on a graph.
BOOST_AUTO_TEST_CASE(a_declared_neighborhood_sends_no_more_than_the_same_graph) {
    for (const auto operation : schedule::operations()) {
        const GraphExchange graph{listed(cube, points_27), operation};
        const Declared declared{cube, points_27, operation};
        for (const auto* rule : routing::grid_rules()) {
            if (rule->route == nullptr) continue;
            const auto by_graph = graph.schedules(*rule);
            const auto by_grid = declared.schedules(*rule);
            BOOST_TEST_CONTEXT(rule->name << ' ' << schedule::name_of(operation)) {
                BOOST_TEST(most_messages(by_grid) <= most_messages(by_graph));
                BOOST_TEST(most_blocks(by_grid) <= most_blocks(by_graph));
                BOOST_TEST(by_grid.front().rounds.back().phase <=
                           by_graph.front().rounds.back().phase);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(costs_count_the_messages_that_are_sent) {
    for (const auto operation : schedule::operations()) {
        const Declared declared{cube, points_27, operation};
        choose::Planner planner(cube, points_27);
        for (const auto* rule : routing::grid_rules()) {
            const auto load =
                planner.planned(*rule, operation).load(declared.block_bytes, choose::CostModel{});
            BOOST_TEST(load.messages() == most_messages(declared.schedules(*rule)), rule->name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
