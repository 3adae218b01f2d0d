// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "../graphs/graph_cases.hpp"
#include "graph_checks.hpp"

BOOST_AUTO_TEST_SUITE(test_graph_rules)

using namespace carpool;

BOOST_AUTO_TEST_CASE(every_rule_delivers_every_block_of_all_graphs_by_every_operation) {
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 27, 31}) {
        if (ranks > up_to(31)) break;
        for (const auto& [name, targets] : graph_cases(ranks))
            for (const auto operation : schedule::operations())
                check_every_rule({topology::graph_of_targets(targets),
                                  operation,
                                  {1 + ranks % 4, {1 + ranks % 5}}},
                                 name + " of " + std::to_string(ranks));
    }
}

BOOST_AUTO_TEST_CASE(every_rule_delivers_every_block_of_random_graphs) {
    const auto first = first_seed();
    const auto cases = random_cases(300);
    for (auto seed = first; seed < first + cases; ++seed) {
        RandomSource random(seed);
        const auto operation =
            schedule::operations()[static_cast<std::size_t>(random.between(0, 3))];
        check_every_rule({topology::graph_of_targets(random_multigraph(random)),
                          operation,
                          {random.between(1, 5), {random.between(1, 6)}}},
                         "seed " + std::to_string(seed));
    }
}

// Rank 0 has rank 1 three times as a neighbor: one block is sent to rank 1, which copies it to the
// other two places.
BOOST_AUTO_TEST_CASE(the_block_of_an_allgather_is_sent_once_to_a_rank_that_is_several_neighbors) {
    const std::vector<std::vector<int>> targets{{1, 1, 2, 1}, {}, {}};
    const GraphExchange exchange{topology::graph_of_targets(targets),
                                 schedule::Operation::allgather};
    const auto schedules = exchange.schedules(routing::direct);
    BOOST_TEST(schedule::messages_sent(schedules[0]) == 2);
    BOOST_TEST(schedule::blocks_sent(schedules[0]) == 2);
    BOOST_TEST(schedules[1].copies.size() == 2U);
    BOOST_TEST(schedule::verify(schedules, exchange.expected()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
