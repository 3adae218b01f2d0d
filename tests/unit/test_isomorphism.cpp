// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_source.hpp"
#include "topology/isomorphism.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <ctime>

BOOST_AUTO_TEST_SUITE(test_isomorphism)

using namespace carpool::topology;

namespace {

/// Is the graph, on all ranks, the neighborhood that rank `model` has?
bool recognised_everywhere(const Grid& grid, const Graph& graph, int model) {
    const auto neighborhood =
        neighborhood_of(grid, model, graph[static_cast<std::size_t>(model)].out);
    for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank)
        if (!Recogniser(rank, graph[static_cast<std::size_t>(rank)]).recognised(grid, neighborhood))
            return false;
    return true;
}

/// The graph with edges as a user might list them: without those off a mesh, in any order.
Graph listed(const Grid& grid, const Neighborhood& neighborhood, RandomSource& random) {
    std::vector<std::vector<int>> targets;
    for (const auto& edges : graph_of(grid, neighborhood)) {
        auto& mine = targets.emplace_back();
        for (const auto& edge : edges.out)
            if (edge.peer != no_rank) mine.push_back(edge.peer);
        for (std::size_t i = mine.size(); i > 1; --i)
            std::swap(mine[i - 1],
                      mine[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
    }
    return graph_of_targets(targets);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_shuffled_stencil_is_recognised_on_torus_and_mesh) {
    RandomSource random(5);
    for (const bool periodic : {true, false}) {
        const Grid grid({4, 5}, {periodic, periodic});
        const auto graph = listed(grid, moore(2, 1), random);
        BOOST_TEST(recognised_everywhere(grid, graph, 6));
    }
}

BOOST_AUTO_TEST_CASE(the_order_of_the_edges_is_kept) {
    const Grid grid({4}, {true});
    const Neighborhood sides(1, {-1, 1});
    const Adjacency edges{{{2, 0}, {0, 0}}, {{0, 0}, {2, 0}}};  // of rank 1: above, below
    const auto found = Recogniser(1, edges).recognised(grid, sides);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->send_order == (std::vector<int>{1, 0}), boost::test_tools::per_element());
    BOOST_TEST(found->recv_order == (std::vector<int>{1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_edge_more_or_less_or_elsewhere_is_not_recognised) {
    RandomSource random(9);
    const Grid grid({3, 4}, {true, true});
    const auto graph = listed(grid, von_neumann(2, 1), random);
    BOOST_TEST(recognised_everywhere(grid, graph, 0));
    auto more = graph;
    more[7].out.push_back({2, 0});
    more[2].in.push_back({7, 0});
    BOOST_TEST(!recognised_everywhere(grid, more, 0));
    auto less = graph;
    less[7].out.pop_back();
    BOOST_TEST(!recognised_everywhere(grid, less, 0));
    auto elsewhere = graph;
    elsewhere[7].out.front().peer = (elsewhere[7].out.front().peer + 1) % 12;
    BOOST_TEST(!recognised_everywhere(grid, elsewhere, 0));
}

BOOST_AUTO_TEST_CASE(cartesian_needs_as_many_rounds_as_there_are_distinct_coordinates) {
    BOOST_TEST(distinct_coordinates(moore(2, 1)) == 4);
    BOOST_TEST(distinct_coordinates(moore(3, 2)) == 12);
}

// This would take minutes if edges that are already claimed were scanned.
BOOST_AUTO_TEST_CASE(a_hundred_thousand_edges_to_one_rank_are_recognised_in_a_second) {
    constexpr int edges = 100'000;
    const Grid ring({2}, {true});
    const auto graph = graph_of_targets(
        std::vector<std::vector<int>>{std::vector<int>(edges, 1), std::vector<int>(edges, 0)});
    const auto before = std::clock();  // of this process, since the machine has other work to do
    BOOST_TEST(recognised_everywhere(ring, graph, 0));
    BOOST_TEST(static_cast<double>(std::clock() - before) < 1.0 * CLOCKS_PER_SEC);
}

BOOST_AUTO_TEST_SUITE_END()
