// SPDX-License-Identifier: MIT
// The rule `node`: all blocks from one node to another are in one message, or in one message for
// each carrier.

#include <boost/test/unit_test.hpp>

#include "../graphs/graph_cases.hpp"
#include "graph_checks.hpp"
#include "random_nodes.hpp"
#include "routing/next_hop.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_by_node)

using namespace carpool;
using schedule::Operation;

namespace {

using Pair = std::pair<int, int>;

topology::Graph complete(int ranks) {
    return topology::graph_of_targets(
        named_graph("complete", ranks, [=](int rank) { return all_but(rank, ranks); }).targets);
}

GraphExchange exchange_of(const topology::Graph& graph, Operation operation, int carriers,
                          std::shared_ptr<const topology::Nodes> nodes) {
    GraphExchange exchange{graph, operation};
    exchange.options.carriers = carriers;
    exchange.nodes = std::move(nodes);
    return exchange;
}

GraphExchange random_graph_exchange(RandomSource& random) {
    const auto graph = topology::graph_of_targets(random_multigraph(random));
    const auto operation = schedule::operations()[static_cast<std::size_t>(random.between(0, 3))];
    const int ranks = static_cast<int>(graph.size());
    return exchange_of(graph, operation, random.between(1, 6), random_nodes(ranks, random));
}

/// The messages between two nodes, and the number of parts in all of them.
struct Crossing {
    int messages = 0;
    int parts = 0;
};

std::map<Pair, Crossing> crossings(const GraphExchange& exchange) {
    std::map<Pair, Crossing> result;
    const auto schedules = exchange.schedules(routing::by_node);
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        for (const auto& round : schedules[rank].rounds) {
            if (round.send.parts.empty()) continue;
            const int from = exchange.nodes->node(static_cast<int>(rank));
            const int to = exchange.nodes->node(round.send.peer);
            if (from == to) continue;
            auto& crossing = result[{from, to}];
            ++crossing.messages;
            crossing.parts += static_cast<int>(round.send.parts.size());
        }
    return result;
}

/// The blocks that must cross between nodes: of an allgather each block once to a node, of a
/// reduction one sum of a node for each rank.
std::map<Pair, int> least_parts(const GraphExchange& exchange) {
    std::set<std::tuple<int, int, int>> blocks;
    const bool sums = schedule::reduces(exchange.operation);
    for (std::size_t rank = 0; rank < exchange.graph.size(); ++rank)
        for (const auto& edge : exchange.graph[rank].out) {
            const int here = static_cast<int>(rank);
            const int from = exchange.nodes->node(here);
            const int to = exchange.nodes->node(edge.peer);
            if (from != to) blocks.insert({from, to, sums ? edge.peer : here});
        }
    std::map<Pair, int> result;
    for (const auto& [from, to, block] : blocks) ++result[{from, to}];
    return result;
}

}  // namespace

// Ranks 0 and 1 are on one node, 2 and 3 on the other: 0 and 2 are carriers.
BOOST_AUTO_TEST_CASE(two_nodes_of_two_ranks_send_each_other_one_message) {
    const auto exchange = exchange_of(complete(4), Operation::alltoall, 1, nodes_in_a_row(4, 2));
    BOOST_TEST(exchange.complaints(routing::by_node).empty());
    const auto all = crossings(exchange);
    BOOST_TEST(all.size() == 2u);
    BOOST_TEST(all.at({0, 1}).messages == 1);
    BOOST_TEST(all.at({0, 1}).parts == 4);
    const auto load = exchange.planner().planned(routing::by_node).load;
    BOOST_TEST(load.at(choose::Level::network).messages == 1);
    BOOST_TEST(load.at(choose::Level::node).messages == 1 + 1);
    BOOST_TEST(load.phases == 3);
    BOOST_TEST(load.phases_on_node == 2);
}

BOOST_AUTO_TEST_CASE(if_each_rank_carries_its_own_blocks_none_are_gathered) {
    const auto exchange = exchange_of(complete(6), Operation::alltoall, 3, nodes_in_a_row(6, 3));
    BOOST_TEST(exchange.complaints(routing::by_node).empty());
    const auto load = exchange.planner().planned(routing::by_node).load;
    BOOST_TEST(load.phases == 2);
    BOOST_TEST(load.at(choose::Level::network).messages == 1);
    BOOST_TEST(load.at(choose::Level::node).messages == 2);
}

BOOST_AUTO_TEST_CASE(on_one_node_all_blocks_are_sent_directly) {
    for (const auto& nodes : {nodes_in_a_row(5, 5), std::shared_ptr<const topology::Nodes>()}) {
        const auto exchange = exchange_of(complete(5), Operation::alltoall, 1, nodes);
        BOOST_TEST(exchange.complaints(routing::by_node).empty());
        for (const auto& schedule : exchange.schedules(routing::by_node)) {
            BOOST_TEST(schedule::messages_sent(schedule) == 4);
            BOOST_TEST(schedule::blocks_sent(schedule) == 4);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_rule_delivers_whatever_ranks_share_a_node) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(300); ++seed) {
        RandomSource random(seed);
        auto exchange = random_graph_exchange(random);
        const int in_a_row = exchange.nodes->in_a_row();
        const int ranks = exchange.nodes->ranks();
        if (in_a_row > 1 && ranks > in_a_row && random.one_in(2))
            exchange.options.digits.factors =
                routing::node_factors(ranks, in_a_row, random.between(1, 3));
        check_every_rule(exchange, "seed " + std::to_string(seed));
    }
}

BOOST_AUTO_TEST_CASE(no_more_messages_go_from_node_to_node_than_there_are_carriers) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(300); ++seed) {
        RandomSource random(seed);
        const auto exchange = random_graph_exchange(random);
        for (const auto& [pair, crossing] : crossings(exchange))
            BOOST_REQUIRE_MESSAGE(crossing.messages <= exchange.options.carriers,
                                  "seed " << seed << ": " << crossing.messages);
    }
}

BOOST_AUTO_TEST_CASE(blocks_for_several_ranks_of_a_node_and_sums_of_a_node_cross_once) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(300); ++seed) {
        RandomSource random(seed);
        auto exchange = random_graph_exchange(random);
        exchange.operation = random.one_in(2) ? Operation::allgather : Operation::reduce;
        const auto least = least_parts(exchange);
        const auto all = crossings(exchange);
        BOOST_REQUIRE_MESSAGE(all.size() == least.size(), "seed " << seed);
        for (const auto& [pair, crossing] : all)
            BOOST_REQUIRE_MESSAGE(crossing.parts == least.at(pair),
                                  "seed " << seed << ": " << crossing.parts);
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_of_a_node_carry_blocks_for_equally_many_nodes) {
    for (const int node : {1, 2, 3, 4, 7})
        for (const int count : {2, 3, 5, 8})
            for (const int carriers : {1, 2, node}) {
                const auto exchange = exchange_of(complete(count * node), Operation::allgather,
                                                  carriers, nodes_in_a_row(count * node, node));
                const int team = node / std::min(carriers, node);
                const auto load = exchange.planner().planned(routing::by_node).load;
                BOOST_TEST(
                    load.at(choose::Level::network).messages == (count - 1 + team - 1) / team,
                    count << " nodes of " << node << ", " << carriers << " carriers");
            }
}

BOOST_AUTO_TEST_CASE(every_route_ends_at_its_target_and_changes_the_node_at_most_once) {
    const auto first = first_seed();
    for (auto seed = first; seed < first + random_cases(300); ++seed) {
        RandomSource random(seed);
        const int ranks = random.between(1, 40);
        const auto nodes = random_nodes(ranks, random);
        const auto next_hop = routing::node_hops(*nodes, random.between(1, 6));
        for (int origin = 0; origin < ranks; ++origin)
            for (int target = 0; target < ranks; ++target) {
                int at = origin;
                int changes_of_node = 0;
                for (int phase = 0; phase < next_hop.phases; ++phase) {
                    const int from = std::exchange(at, next_hop.next(phase, at, target));
                    changes_of_node += nodes->node(from) != nodes->node(at);
                    BOOST_REQUIRE_MESSAGE(next_hop.next(phase, at, target) == at, "seed " << seed);
                }
                BOOST_REQUIRE_MESSAGE(at == target, "seed " << seed);
                BOOST_REQUIRE(changes_of_node <= 1);
            }
    }
}

BOOST_AUTO_TEST_CASE(the_digit_of_a_node_leads_to_ranks_of_the_same_node_and_the_others_to_others) {
    for (const int node : {2, 3, 4})
        for (const int count : {2, 3, 4, 7})
            for (const int digits : {1, 2, 3}) {
                const int ranks = node * count;
                const auto next_hop =
                    routing::digit_hops(ranks, routing::node_factors(ranks, node, digits), node);
                int wrong = 0;
                for (int origin = 0; origin < ranks; ++origin)
                    for (int target = 0; target < ranks; ++target) {
                        int at = next_hop.next(0, origin, target);
                        wrong += at / node != origin / node || at % node != target % node;
                        for (int phase = 1; phase < next_hop.phases; ++phase)
                            at = next_hop.next(phase, at, target);
                        wrong += at != target;
                    }
                BOOST_TEST(wrong == 0, digits << " digits of " << count << " nodes of " << node);
            }
}

BOOST_AUTO_TEST_CASE(a_rule_with_carriers_is_read_as_it_is_written) {
    for (const char* text : {"node", "node:1", "node:16"})
        BOOST_TEST(text_of(*routing::rule_from_text(text)) == text);
    for (const char* text : {"node:", "node:0", "node:-1", "node:2/3", "node:x", "direct:2"})
        BOOST_TEST(!routing::rule_from_text(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
