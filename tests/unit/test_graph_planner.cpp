#include <boost/test/unit_test.hpp>

#include "choose/graph_planner.hpp"
#include "schedule/expected.hpp"
#include "schedule/verify.hpp"
#include "topology/graph_text.hpp"

#include <vector>

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

BOOST_AUTO_TEST_SUITE(test_graph_planner)

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
