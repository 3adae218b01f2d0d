// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/graph_planner.hpp"
#include "routing/edges_of_stops.hpp"
#include "schedule/expected.hpp"
#include "schedule/verify.hpp"
#include "topology/graph_text.hpp"

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_graph_planner)

using namespace carpool;
using choose::GraphPlanner;
using schedule::Operation;

namespace {

const routing::RouteOptions options;

std::vector<schedule::Schedule> placed(const GraphPlanner& planner, const routing::Rule& rule) {
    const auto plan = planner.planned(rule);
    std::vector<schedule::Schedule> schedules;
    for (std::size_t rank = 0; rank < planner.graph().size(); ++rank)
        schedules.push_back(planner.placed(plan, static_cast<int>(rank), 8));
    return schedules;
}

schedule::Postcondition expected(const GraphPlanner& planner) {
    std::vector<std::vector<std::int64_t>> sizes;
    for (const auto& edges : planner.graph()) sizes.emplace_back(edges.out.size() + 1, 8);
    return schedule::expected(planner.operation(), planner.graph(), sizes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_load_is_that_of_the_busiest_rank) {
    const GraphPlanner planner(topology::graph_from_text("star 4"), Operation::alltoall, options);
    const auto load = planner.planned(routing::direct).load;
    BOOST_TEST(load.messages() == 3);
    BOOST_TEST(load.blocks() == 3);
    BOOST_TEST(load.phases == 1);
}

BOOST_AUTO_TEST_CASE(a_rule_of_supersteps_has_traffic_and_direct_has_none) {
    const GraphPlanner planner(topology::graph_from_text("complete 9"), Operation::alltoall,
                               options);
    for (const auto& traffic : planner.planned(routing::direct).traffic)
        BOOST_TEST(traffic.messages == 0);
    for (const auto& traffic : planner.planned(routing::virtual_mesh).traffic)
        BOOST_TEST(traffic.messages == 4);  // 2 in its row, 2 in its column
}

BOOST_AUTO_TEST_CASE(each_stop_knows_the_edge_whose_block_rests_there) {
    const GraphPlanner planner(topology::graph_from_text("random 13 density 0.5 seed 2"),
                               Operation::alltoall, options);
    std::vector<std::pair<int, topology::Edge>> all;  // source, and the edge as it lists it
    for (std::size_t rank = 0; rank < planner.graph().size(); ++rank)
        for (const auto& edge : planner.graph()[rank].out)
            all.emplace_back(static_cast<int>(rank), edge);
    for (const auto* rule : routing::graph_rules()) {
        const auto plan = planner.planned(*rule);
        const auto edges = routing::edges_of_stops(plan.routes);
        for (std::size_t rank = 0; rank < edges.size(); ++rank)
            for (const auto& [stop, position] : plan.routes[rank].deliveries()) {
                const auto& [source, edge] =
                    all[static_cast<std::size_t>(edges[rank][static_cast<std::size_t>(stop)])];
                const auto& expected = planner.graph()[rank].in[static_cast<std::size_t>(position)];
                BOOST_TEST(edge.peer == static_cast<int>(rank));
                BOOST_TEST(source == expected.peer);
                BOOST_TEST(edge.label == expected.label);
            }
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_different_weights_keep_them_along_all_routes) {
    const auto graph = topology::graph_from_text("random 12 density 0.6 seed 5");
    std::vector<std::vector<std::int64_t>> sizes;
    std::vector<int> weights;
    for (const auto& edges : graph) {
        auto& own = sizes.emplace_back();
        for (std::size_t i = 0; i < edges.out.size(); ++i) {
            weights.push_back(static_cast<int>(weights.size() % 7 + 1));
            own.push_back(8 * weights.back());
        }
    }
    const GraphPlanner planner(graph, Operation::alltoall, options, true, nullptr,
                               std::make_shared<const std::vector<int>>(weights));
    for (const auto* rule : routing::graph_rules())
        BOOST_TEST(schedule::verify(placed(planner, *rule),
                                    schedule::expected(Operation::alltoall, graph, sizes))
                       .empty());
    std::int64_t sent = 0;
    for (const auto& schedule : placed(planner, routing::direct))
        for (const auto& round : schedule.rounds) sent += schedule::bytes_of(round.send);
    BOOST_TEST(sent == 8 * std::accumulate(weights.begin(), weights.end(), 0));
}

BOOST_AUTO_TEST_CASE(a_reduction_sums_what_comes_along_the_edges_not_against_them) {
    const auto graph = topology::graph_of_edges(3, std::vector{1, 2}, std::vector{0, 0});
    const GraphPlanner planner(graph, Operation::reduce, options);
    const auto schedules = placed(planner, routing::direct);
    BOOST_TEST(schedules[0].sums.size() == 1);
    BOOST_TEST(schedules[0].sums[0].of.size() == 2);
    BOOST_TEST(schedule::messages_sent(schedules[0]) == 0);
    BOOST_TEST(schedule::messages_sent(schedules[1]) == 1);
}

BOOST_AUTO_TEST_CASE(every_rule_and_operation_is_correct_on_all_ranks) {
    const auto graph = topology::graph_from_text("random 13 density 0.6");
    for (const auto* rule : routing::graph_rules())
        for (const auto operation : schedule::operations()) {
            const GraphPlanner planner(graph, operation, options);
            BOOST_TEST_CONTEXT(rule->name << " " << schedule::name_of(operation))
            BOOST_TEST(schedule::verify(placed(planner, *rule), expected(planner)).empty());
        }
}

BOOST_AUTO_TEST_SUITE_END()
