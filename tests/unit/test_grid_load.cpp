// SPDX-License-Identifier: MIT
// The load of the busiest rank in plans on a grid, where some ranks share a node.

#include <boost/test/unit_test.hpp>

#include "choose/planner.hpp"
#include "random_exchange.hpp"
#include "random_nodes.hpp"
#include "topology/stencils.hpp"

#include <cstdint>
#include <span>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_grid_load)

using namespace carpool;
using choose::Level;
using schedule::Operation;

namespace {

constexpr choose::CostModel near{1e-6, 1e-9, 2e-6};
constexpr choose::CostModel far{20e-6, 2e-9, 30e-6};

choose::Load load_of(const routing::Rule& rule, const topology::Grid& grid,
                     const topology::Neighborhood& stencil, const choose::Machine& machine) {
    choose::Planner planner(grid, stencil);
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(stencil.size()), 8);
    return planner.planned(rule, Operation::alltoall).load(bytes, machine);
}

topology::Grid torus_like(const topology::Grid& grid) {
    std::vector<int> dims;
    for (int k = 0; k < grid.dimensions(); ++k) dims.push_back(grid.dim(k));
    return {dims, std::vector(dims.size(), true)};
}

/// What the busiest rank sends or receives, counted on the schedules of all ranks.
choose::TrafficByLevel most_of_any(const choose::Planner& planner, const choose::GridPlan& plan,
                                   std::span<const std::int64_t> bytes,
                                   const choose::Machine& machine, int ranks) {
    choose::TrafficByLevel most = {};
    for (int rank = 0; rank < ranks; ++rank) {
        const auto schedule = planner.placed(plan, Operation::alltoall, rank, bytes);
        most = choose::most(most, choose::sent_by(schedule, rank, machine.nodes().get()));
        most = choose::most(most, choose::received_by(schedule, rank, machine.nodes().get()));
    }
    return most;
}

}  // namespace

// On a ring with nodes of 8 ranks, each rank sends one message, to the next one. Only the last rank
// of a node sends it to another node, and no rank sends one of each kind.
BOOST_AUTO_TEST_CASE(of_many_ranks_those_are_looked_at_that_send_to_other_nodes) {
    constexpr int ranks = 1 << 14;
    const choose::Machine machine(near, far, nodes_in_a_row(ranks, 8), 1);
    const auto load = load_of(routing::direct, {{ranks}, {true}}, {1, {1}}, machine);
    BOOST_TEST(load.at(Level::network).messages == 1);
    BOOST_TEST(load.at(Level::node).messages == 0);
}

BOOST_AUTO_TEST_CASE(the_busier_of_two_ranks_has_no_more_messages_than_one_of_them) {
    const choose::TrafficByLevel a{choose::Traffic{5, 50, 500}, choose::Traffic{1, 10, 100}};
    const choose::TrafficByLevel b{choose::Traffic{0, 0, 0}, choose::Traffic{4, 40, 400}};
    const choose::TrafficByLevel busier{choose::Traffic{2, 20, 200}, choose::Traffic{4, 40, 400}};
    BOOST_TEST((choose::most(a, b) == busier));
    BOOST_TEST((choose::most(b, a) == busier));
}

// A 4×4 torus with a row on each node and 8 neighbors: 2 in the row, 6 outside; or two hops in each
// direction, of which those along the first dimension carry 3 blocks.
BOOST_AUTO_TEST_CASE(hops_along_the_rows_stay_on_the_nodes) {
    const topology::Grid grid({4, 4}, {true, true});
    const choose::Machine machine(near, far, nodes_in_a_row(16, 4), 1);
    const auto direct = load_of(routing::direct, grid, topology::moore(2, 1), machine);
    BOOST_TEST(direct.at(Level::node).messages == 2);
    BOOST_TEST(direct.at(Level::network).messages == 6);
    BOOST_TEST(direct.at(Level::network).bytes == 6 * 8);
    BOOST_TEST(direct.phases_between_nodes() == 1);
    const auto combined = load_of(routing::cartesian, grid, topology::moore(2, 1), machine);
    BOOST_TEST(combined.at(Level::node).messages == 2);
    BOOST_TEST(combined.at(Level::network).messages == 2);
    BOOST_TEST(combined.at(Level::node).blocks == 6);
    BOOST_TEST(combined.at(Level::network).blocks == 6);
    BOOST_TEST(combined.phases == 2);
    BOOST_TEST(combined.phases_between_nodes() == 1);
}

// Each of two ranks has one neighbor, though the stencil has two.
BOOST_AUTO_TEST_CASE(on_nodes_a_message_that_would_leave_a_mesh_costs_nothing) {
    const choose::Machine machine(near, far, nodes_in_a_row(2, 1), 1);
    const auto load = load_of(routing::direct, {{2}, {false}}, topology::moore(1, 1), machine);
    BOOST_TEST(load.messages() == 1);
    BOOST_TEST(choose::starts(load, 1) == 1);
    BOOST_TEST(choose::estimate(machine, load) == far.alpha + 8 * far.beta + far.sigma,
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(without_nodes_all_messages_have_the_cost_of_the_network) {
    const topology::Grid grid({4, 4}, {true, true});
    const auto load = load_of(routing::direct, grid, topology::moore(2, 1), far);
    BOOST_TEST(load.at(Level::node).messages == 8);
    BOOST_TEST(load.at(Level::network).messages == 0);
}

BOOST_AUTO_TEST_CASE(on_a_torus_the_busiest_rank_sends_or_receives_what_the_schedules_say) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(300); ++seed) {
        RandomSource random(seed);
        const auto grid = torus_like(random_grid(random));
        const auto stencil = random_neighborhood(random, grid.dimensions());
        const int ranks = static_cast<int>(grid.size());
        const choose::Machine machine(near, far, random_nodes(ranks, random), 1);
        choose::Planner planner(grid, stencil);
        std::vector<std::int64_t> bytes(static_cast<std::size_t>(stencil.size()));
        for (auto& size : bytes) size = random.between(1, 9);
        for (const auto* rule : routing::grid_rules()) {
            const auto plan = planner.planned(*rule, Operation::alltoall);
            const auto most = most_of_any(planner, plan, bytes, machine, ranks);
            const auto load = plan.load(bytes, machine);
            BOOST_TEST((load.traffic == most), "seed " << seed << ", " << rule->name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
