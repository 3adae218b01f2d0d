// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/graph_planner.hpp"
#include "choose/overload.hpp"
#include "random_source.hpp"
#include "routing/arrangement.hpp"
#include "schedule/expected.hpp"
#include "schedule/verify.hpp"
#include "topology/graph_text.hpp"

#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_arrangement)

using namespace carpool;
using choose::GraphPlan;
using choose::GraphPlanner;
using choose::Load;
using routing::arranged;
using schedule::Operation;

namespace {

GraphPlanner planner_of(const std::string& graph, bool rearranges = true,
                        Operation operation = Operation::alltoall) {
    return {topology::graph_from_text(graph), operation, {}, rearranges};
}

std::vector<std::string> complaints(const GraphPlanner& planner, const GraphPlan& plan) {
    std::vector<schedule::Schedule> schedules;
    std::vector<std::vector<std::int64_t>> sizes;
    for (std::size_t rank = 0; rank < planner.graph().size(); ++rank) {
        schedules.push_back(planner.placed(plan, static_cast<int>(rank), 8));
        sizes.emplace_back(planner.graph()[rank].out.size() + 1, 8);
    }
    return schedule::verify(schedules,
                            schedule::expected(planner.operation(), planner.graph(), sizes));
}

Load load_of(std::int64_t blocks, std::int64_t bytes) {
    Load load;
    load.at(choose::Level::node) = {1, blocks, bytes};
    return load;
}

const std::vector<const routing::Rule*> virtual_topologies{
    &routing::virtual_mesh, &routing::virtual_grid, &routing::hypercube, &routing::by_digits};

}  // namespace

BOOST_AUTO_TEST_CASE(arrangement_0_leaves_all_ranks_where_they_are) {
    const auto plain = routing::mesh_hops(11);
    const auto same = arranged(routing::mesh_hops(11), routing::arrangement_of(11, 0));
    for (int at = 0; at < 11; ++at)
        for (int target = 0; target < 11; ++target)
            BOOST_TEST(same.next(0, at, target) == plain.next(0, at, target));
}

BOOST_AUTO_TEST_CASE(every_route_ends_at_its_target_in_every_arrangement) {
    for (const int ranks : {1, 2, 3, 7, 12, 31, 64})
        for (int arrangement = 1; arrangement <= choose::arrangements; ++arrangement) {
            const auto places = routing::arrangement_of(ranks, arrangement);
            for (const auto& next_hop :
                 {arranged(routing::mesh_hops(ranks), places),
                  arranged(routing::grid_hops(ranks), places),
                  arranged(routing::hypercube_hops(ranks), places),
                  arranged(routing::digit_hops(ranks, routing::near_equal_factors(ranks, 3)),
                           places)})
                for (int origin = 0; origin < ranks; ++origin)
                    for (int target = 0; target < ranks; ++target) {
                        int at = origin;
                        for (int phase = 0; phase < next_hop.phases; ++phase)
                            at = next_hop.next(phase, at, target);
                        BOOST_TEST_REQUIRE(at == target);
                    }
        }
}

// The first hops of rank 0 to all targets on a mesh identify the arrangement.
BOOST_AUTO_TEST_CASE(arrangements_differ_from_each_other) {
    std::set<std::vector<int>> seen;
    for (int arrangement = 0; arrangement <= choose::arrangements; ++arrangement) {
        const auto next_hop =
            arranged(routing::mesh_hops(64), routing::arrangement_of(64, arrangement));
        std::vector<int> hops;
        for (int target = 0; target < 64; ++target) hops.push_back(next_hop.next(0, 0, target));
        seen.insert(hops);
    }
    BOOST_TEST(seen.size() == 1u + choose::arrangements);
}

// [5] §3.2: all blocks from the first row to the first column pass through rank 0, 7 * 8 blocks.
BOOST_AUTO_TEST_CASE(heavy_flows_do_not_meet_in_one_rank) {
    const auto plain = planner_of("rowtocolumn 64", false).planned(routing::virtual_mesh);
    const auto planner = planner_of("rowtocolumn 64");
    const auto plan = planner.planned(routing::virtual_mesh);
    BOOST_TEST(plain.load.blocks() == 56);
    BOOST_TEST(plan.by_number.blocks() == 56);
    BOOST_TEST(plan.load.blocks() <= 14);  // each rank of the row has 8 of its own
    BOOST_TEST(plan.arrangement > 0);
    BOOST_TEST(complaints(planner, plan).empty());
}

BOOST_AUTO_TEST_CASE(balanced_and_unavoidable_loads_are_not_rearranged) {
    for (const auto* graph : {"complete 64", "star 64", "hot 64 senders 4", "groups 64 size 8",
                              "manytomany 64 degree 8", "ring 13"})
        for (const auto* rule : {&routing::virtual_mesh, &routing::virtual_grid})
            BOOST_TEST(planner_of(graph).planned(*rule).arrangement == 0,
                       graph << " by " << rule->name);
}

BOOST_AUTO_TEST_CASE(every_rearranged_rule_is_correct_for_every_operation) {
    for (const auto operation : {Operation::alltoall, Operation::allgather, Operation::reduce,
                                 Operation::reduce_scatter_block})
        for (const auto* rule : virtual_topologies) {
            const auto planner = planner_of("rowtocolumn 36", true, operation);
            const auto found = complaints(planner, planner.planned(*rule));
            BOOST_TEST(found.empty(), rule->name << ", " << schedule::name_of(operation) << ": "
                                                 << (found.empty() ? "" : found.front()));
        }
}

BOOST_AUTO_TEST_CASE(a_topology_is_overloaded_beyond_twice_its_lower_bound_and_its_mean) {
    BOOST_TEST(!overloaded(load_of(20, 0), {0, 10, 0}, 10, load_of(10, 0)));
    BOOST_TEST(overloaded(load_of(21, 0), {0, 10, 0}, 10, load_of(10, 0)));
    BOOST_TEST(!overloaded(load_of(21, 0), {0, 110, 0}, 10, load_of(10, 0)));
    BOOST_TEST(overloaded(load_of(1, 300), {0, 1, 1}, 10, load_of(1, 100)));  // bytes, if known
}

BOOST_AUTO_TEST_CASE(a_tenth_is_clearly_less) {
    BOOST_TEST(clearly_less(load_of(90, 0), load_of(100, 0)));
    BOOST_TEST(!clearly_less(load_of(91, 0), load_of(100, 0)));
    BOOST_TEST(!clearly_less(load_of(1, 91), load_of(100, 100)));
}

BOOST_AUTO_TEST_SUITE_END()
