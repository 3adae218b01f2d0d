// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "says.hpp"
#include "topology/graph_text.hpp"

#include <stdexcept>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_graph_text)

using namespace carpool::topology;

namespace {

using Lists = std::vector<std::vector<int>>;

std::vector<int> peers(const std::vector<Edge>& edges) {
    std::vector<int> peers;
    for (const auto& edge : edges) peers.push_back(edge.peer);
    return peers;
}

Lists targets(const Graph& graph) {
    Lists lists;
    for (const auto& edges : graph) lists.push_back(peers(edges.out));
    return lists;
}

Lists sources(const Graph& graph) {
    Lists lists;
    for (const auto& edges : graph) lists.push_back(peers(edges.in));
    return lists;
}

bool same(const Graph& a, const Graph& b) {
    return targets(a) == targets(b) && sources(a) == sources(b);
}

}  // namespace

BOOST_AUTO_TEST_CASE(named_graphs_have_the_edges_of_their_names) {
    BOOST_TEST((targets(graph_from_text("complete 3")) == Lists{{1, 2}, {0, 2}, {0, 1}}));
    BOOST_TEST((targets(graph_from_text(" ring  4 ")) == Lists{{3, 1}, {0, 2}, {1, 3}, {2, 0}}));
    BOOST_TEST((targets(graph_from_text("star 4")) == Lists{{1, 2, 3}, {0}, {0}, {0}}));
    BOOST_TEST((targets(graph_from_text("manytomany 3 degree 4")) ==
                Lists{{1, 2, 0, 1}, {2, 0, 1, 2}, {0, 1, 2, 0}}));
    BOOST_TEST((targets(graph_from_text("rowtocolumn 4")) == Lists{{0, 2}, {0, 2}, {}, {}}));
    BOOST_TEST((targets(graph_from_text("hot 3 senders 2")) == Lists{{1, 2}, {2, 0}, {}}));
    BOOST_TEST((targets(graph_from_text("groups 5 size 2")) == Lists{{1}, {0}, {3}, {2}, {}}));
    BOOST_TEST((targets(graph_from_text("random 3 density 0")) == Lists{{}, {}, {}}));
    BOOST_TEST((targets(graph_from_text("random 3 density 1")) == Lists{{1, 2}, {0, 2}, {0, 1}}));
}

BOOST_AUTO_TEST_CASE(two_neighbors_of_a_short_ring_may_be_one_rank) {
    BOOST_TEST((targets(graph_from_text("ring 2")) == Lists{{1, 1}, {0, 0}}));
    BOOST_TEST((targets(graph_from_text("ring 1")) == Lists{{0, 0}}));
    BOOST_TEST((targets(graph_from_text("star 1")) == Lists{{}}));
}

BOOST_AUTO_TEST_CASE(a_random_graph_follows_its_seed_which_is_1_if_none_is_given) {
    const auto graph = graph_from_text("random 64 density 0.2");
    BOOST_TEST(same(graph, random_graph(64, 0.2, 1)));
    BOOST_TEST(same(graph, graph_from_text("random 64 density 0.2 seed 1")));
    BOOST_TEST(!same(graph, graph_from_text("random 64 density 0.2 seed 2")));
}

BOOST_AUTO_TEST_CASE(every_family_has_an_example_that_works) {
    for (const auto& family : graph_families())
        BOOST_TEST(!graph_from_text(std::string(family.example)).empty());
}

BOOST_AUTO_TEST_CASE(targets_come_in_the_order_of_the_edges_and_repeat_as_they_do) {
    const auto graph = graph_of_edges(3, std::vector{2, 0, 2, 2, 1}, std::vector{1, 1, 0, 1, 1});
    BOOST_TEST((targets(graph) == Lists{{1}, {1}, {1, 0, 1}}));
    BOOST_TEST((sources(graph) == Lists{{2}, {0, 1, 2, 2}, {}}));
    BOOST_TEST((graph[2].out[2] == Edge{1, 1}));
}

BOOST_AUTO_TEST_CASE(text_that_is_no_graph_is_refused_with_the_reason) {
    using Error = std::invalid_argument;
    BOOST_CHECK_EXCEPTION(graph_from_text(""), Error, says("expected a graph (random, complete"));
    BOOST_CHECK_EXCEPTION(graph_from_text("rnadom 4"), Error, says("'rnadom 4': expected a graph"));
    BOOST_CHECK_EXCEPTION(graph_from_text("ring"), Error, says("expected ring P"));
    BOOST_CHECK_EXCEPTION(graph_from_text("ring 0"), Error, says("P is 0, expected from 1"));
    BOOST_CHECK_EXCEPTION(graph_from_text("ring 4 4"), Error, says("'4' is too much"));
    BOOST_CHECK_EXCEPTION(graph_from_text("ring x"), Error, says("P 'x' is not an integer"));
    BOOST_CHECK_EXCEPTION(graph_from_text("star 2000000"), Error, says("expected from 1 to 2^20"));
    BOOST_CHECK_EXCEPTION(graph_from_text("complete 100000"), Error, says("more than 2^24 edges"));
    BOOST_CHECK_EXCEPTION(graph_from_text("manytomany 4"), Error, says("manytomany P degree D"));
    BOOST_CHECK_EXCEPTION(graph_from_text("manytomany 4 degree -1"), Error, says("degree is -1"));
    BOOST_CHECK_EXCEPTION(graph_from_text("random 4"), Error, says("expected random P density D"));
    BOOST_CHECK_EXCEPTION(graph_from_text("random 4 density 1.5"), Error,
                          says("density '1.5', expected a number from 0 to 1"));
    BOOST_CHECK_EXCEPTION(graph_from_text("random 4 density nan"), Error, says("density 'nan'"));
    BOOST_CHECK_EXCEPTION(graph_from_text("random 4 density 0.5 seed -1"), Error,
                          says("seed '-1', expected an integer"));
    BOOST_CHECK_EXCEPTION(graph_from_text("random 4 density 0.5 sead 1"), Error,
                          says("expected random P density D [seed S]"));
}

BOOST_AUTO_TEST_CASE(an_edge_of_a_rank_that_is_not_there_is_named) {
    using Error = std::invalid_argument;
    BOOST_CHECK_EXCEPTION(graph_of_edges(2, std::vector{0, 1}, std::vector{1, 2}), Error,
                          says("edge 1 to 2, expected ranks from 0 to 1"));
    BOOST_CHECK_EXCEPTION(graph_of_edges(2, std::vector{-1}, std::vector{0}), Error,
                          says("edge -1 to 0"));
}

BOOST_AUTO_TEST_SUITE_END()
