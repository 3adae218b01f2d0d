// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_source.hpp"
#include "topology/mapping.hpp"
#include "topology/node_blocks.hpp"
#include "topology/node_growth.hpp"
#include "topology/node_swaps.hpp"
#include "topology/stencils.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_mapping)

using namespace carpool::topology;

namespace {

using Numbers = std::vector<int>;

/// Consecutive ranks on nodes of these sizes.
Numbers in_a_row(const Numbers& sizes) {
    Numbers node_of;
    for (std::size_t node = 0; node < sizes.size(); ++node)
        node_of.insert(node_of.end(), static_cast<std::size_t>(sizes[node]),
                       static_cast<int>(node));
    return node_of;
}

Numbers of_size(int ranks, int size) {
    Numbers node_of;
    for (int rank = 0; rank < ranks; ++rank) node_of.push_back(rank / size);
    return node_of;
}

Numbers round_robin(int ranks, int nodes) {
    Numbers node_of;
    for (int rank = 0; rank < ranks; ++rank) node_of.push_back(rank % nodes);
    return node_of;
}

/// The node at each position when every rank has taken the position that it was given.
Numbers nodes_at(const Numbers& positions, const Numbers& node_of_rank) {
    Numbers at(positions.size(), -1);
    for (std::size_t rank = 0; rank < positions.size(); ++rank)
        at[static_cast<std::size_t>(positions[rank])] = node_of_rank[rank];
    return at;
}

Nodes nodes_of(const Numbers& node_of) {
    return Nodes(std::vector<std::uint64_t>(node_of.begin(), node_of.end()));
}

bool is_permutation_of_ranks(Numbers positions) {
    std::sort(positions.begin(), positions.end());
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (positions[i] != static_cast<int>(i)) return false;
    return true;
}

/// What is wrong with a mapping of this graph and these nodes; empty if nothing.
std::string fault(const WeightedGraph& graph, const Numbers& node_of, const Mapping& mapping) {
    if (!is_permutation_of_ranks(mapping.positions)) return "positions are no permutation";
    if (mapping.unmapped != weight_between(graph, node_of)) return "unmapped weight is wrong";
    if (mapping.between != weight_between(graph, nodes_at(mapping.positions, node_of)))
        return "mapped weight is wrong";
    return mapping.between > mapping.unmapped ? "worse than before" : "";
}

/// The least weight that is possible between nodes of these sizes, found by trying all mappings.
class LeastBetween {
public:
    LeastBetween(const WeightedGraph& graph, Numbers sizes)
        : graph_(graph), left_(std::move(sizes)), node_of_(static_cast<std::size_t>(graph.size())) {
        place(0, 0);
    }
    std::int64_t found() const { return least_; }

private:
    void place(int position, std::int64_t between) {
        if (between >= least_) return;
        if (position == graph_.size()) {
            least_ = between;
            return;
        }
        for (std::size_t node = 0; node < left_.size(); ++node) {
            if (left_[node] == 0) continue;
            --left_[node];
            node_of_[static_cast<std::size_t>(position)] = static_cast<int>(node);
            place(position + 1, between + to_earlier(position));
            ++left_[node];
        }
    }

    std::int64_t to_earlier(int position) const {
        std::int64_t sum = 0;
        for (const auto& [peer, weight] : graph_.links(position))
            if (peer < position && node_of_.at(static_cast<std::size_t>(peer)) !=
                                       node_of_.at(static_cast<std::size_t>(position)))
                sum += weight;
        return sum;
    }

    const WeightedGraph& graph_;
    Numbers left_;
    Numbers node_of_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

Numbers random_sizes(RandomSource& random, int ranks, int most) {
    Numbers sizes;
    for (int left = ranks; left > 0; left -= sizes.back())
        sizes.push_back(std::min(left, random.between(1, most)));
    return sizes;
}

void shuffle(RandomSource& random, Numbers& numbers) {
    for (std::size_t i = numbers.size(); i > 1; --i)
        std::swap(numbers[i - 1],
                  numbers[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
}

Numbers random_nodes(RandomSource& random, int ranks) {
    auto node_of = random.one_in(2) ? of_size(ranks, random.between(1, ranks))
                                    : in_a_row(random_sizes(random, ranks, 6));
    if (random.one_in(3)) shuffle(random, node_of);
    return node_of;
}

WeightedGraph random_graph(RandomSource& random, int ranks) {
    std::vector<WeightedEdge> edges;
    const int rarity = random.between(1, 8);
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
            if (random.one_in(rarity)) edges.push_back({from, to, random.between(0, 5)});
    return {ranks, edges};
}

Grid random_grid(RandomSource& random, int d) {
    Numbers dims;
    std::vector<bool> periods;
    for (int k = 0; k < d; ++k) {
        dims.push_back(random.between(1, 6));
        periods.push_back(random.one_in(2));
    }
    return {dims, periods};
}

Neighborhood random_offsets_of(RandomSource& random, int d) {
    Numbers flat(static_cast<std::size_t>(d * random.between(0, 8)));
    for (int& c : flat) c = random.between(-3, 3);
    return {d, flat};
}

Numbers random_weights(RandomSource& random, int t) {
    Numbers weights;
    for (int i = 0; i < t && !random.one_in(4 * t); ++i) weights.push_back(random.between(0, 9));
    return static_cast<int>(weights.size()) == t ? weights : Numbers{};
}

Mapping on(const char* grid, const Neighborhood& stencil, int per_node,
           const Numbers& weights = {}) {
    const auto where = grid_from_text(grid);
    return mapping_of(where, stencil, weights,
                      nodes_of(of_size(static_cast<int>(where.size()), per_node)));
}

}  // namespace

// Eight edges leave a block of 2 by 2, and also a row, which has two neighboring rows.
BOOST_AUTO_TEST_CASE(blocks_that_gain_nothing_change_nothing) {
    const auto mapping = on("torus 4x4", von_neumann(2, 1), 4);
    BOOST_TEST(mapping.unmapped == 4 * 8);
    BOOST_TEST(mapping.between == 4 * 8);
    BOOST_TEST(mapping.positions == (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
               boost::test_tools::per_element());
}

//   0  1  2  3 |  4  5  6  7    and so on, four times: 3 borders of 8 ranks lie between blocks
//   8  9 10 11 | 12 13 14 15    one above the other, and one of 8 ranks beside each other
BOOST_AUTO_TEST_CASE(eight_ranks_of_a_mesh_8x8_take_a_block_of_2x4) {
    const auto mapping = on("mesh 8x8", von_neumann(2, 1), 8);
    BOOST_TEST(mapping.unmapped == 7 * 8 * 2);  // seven borders between rows
    BOOST_TEST(mapping.between == 2 * (3 * 8 + 8));
    BOOST_TEST(Numbers(mapping.positions.begin(), mapping.positions.begin() + 8) ==
                   (Numbers{0, 1, 2, 3, 8, 9, 10, 11}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(weights_turn_the_blocks) {
    const Neighborhood cross(2, {1, 0, -1, 0, 0, 1, 0, -1});
    const auto grid = grid_from_text("torus 8x8");
    const Numbers along_columns{9, 9, 1, 1}, along_rows{1, 1, 9, 9};
    BOOST_TEST(*node_block(grid, cross, along_columns, 8) == (Numbers{8, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(*node_block(grid, cross, along_rows, 8) == (Numbers{1, 8}),
               boost::test_tools::per_element());
    BOOST_TEST(on("torus 8x8", cross, 8, along_columns).between == 64 * 2);
    BOOST_TEST(on("torus 8x8", cross, 8, along_columns).unmapped == 64 * 18);
}

BOOST_AUTO_TEST_CASE(ranks_dealt_out_to_nodes_in_turn_are_brought_together) {
    const auto grid = grid_from_text("torus 4x8");
    const auto mapping = mapping_of(grid, moore(2, 1), {}, nodes_of(round_robin(32, 4)));
    BOOST_TEST(mapping.unmapped == 32 * 6);  // all neighbors of 8 ranks except above and below
    BOOST_TEST(mapping.between <= weight_leaving(grid, moore(2, 1), {}, Numbers{2, 4}));
}

BOOST_AUTO_TEST_CASE(one_node_or_a_node_per_rank_changes_nothing) {
    for (const int per_node : {1, 16}) {
        const auto mapping = on("torus 4x4", moore(2, 1), per_node);
        BOOST_TEST(mapping.between == mapping.unmapped);
        for (int rank = 0; rank < 16; ++rank)
            BOOST_TEST(mapping.positions[static_cast<std::size_t>(rank)] == rank);
    }
}

BOOST_AUTO_TEST_CASE(two_cliques_of_a_graph_become_two_nodes) {
    std::vector<WeightedEdge> edges{{0, 1, 1}};  // between even and odd ranks
    for (int from = 0; from < 8; ++from)
        for (int to = 0; to < 8; ++to)
            if (from != to && from % 2 == to % 2) edges.push_back({from, to, 3});
    const auto mapping = mapping_of(WeightedGraph(8, edges), nodes_of(of_size(8, 4)));
    BOOST_TEST(mapping.unmapped == 3 * (8 * 2));  // each has two of its clique elsewhere
    BOOST_TEST(mapping.between == 1);
}

BOOST_AUTO_TEST_CASE(blocks_that_tile_have_lengths_that_divide) {
    const auto grid = grid_from_text("torus 4x3");
    const auto blocks = tiling_blocks(grid, 4);
    const std::vector<Numbers> expected{{1, 1}, {1, 3}, {2, 1}, {4, 1}};
    BOOST_TEST((blocks == expected));
    BOOST_TEST(!node_block(grid, moore(2, 1), {}, 5).has_value());
}

BOOST_AUTO_TEST_CASE(a_million_ranks_find_their_blocks) {
    const auto mapping = on("torus 1024x32x32", von_neumann(3, 1), 64);
    BOOST_TEST(mapping.between == std::int64_t{1024} * 32 * 32 / 64 * 6 * 16);  // blocks of 4x4x4
}

// The weight of edges that leave blocks, by a formula per dimension and counted edge by edge.
BOOST_AUTO_TEST_CASE(weights_that_leave_blocks_are_counted_exactly) {
    for (auto [seed, left] = std::pair(first_seed(), random_cases(1500)); left > 0;
         --left, ++seed) {
        RandomSource random(seed);
        const int d = random.between(1, 3);
        const auto grid = random_grid(random, d);
        const auto neighborhood = random_offsets_of(random, d);
        const auto weights = random_weights(random, neighborhood.size());
        const auto blocks = tiling_blocks(grid, grid.size());
        const auto& block = blocks[static_cast<std::size_t>(
            random.between(0, static_cast<int>(blocks.size()) - 1))];
        Numbers node_of;
        for (int rank = 0; rank < grid.size(); ++rank) {
            const auto at = grid.coordinates(rank);
            int node = 0;
            for (std::size_t k = 0; k < at.size(); ++k) node = node * 6 + at[k] / block[k];
            node_of.push_back(node);
        }
        BOOST_REQUIRE_MESSAGE(weight_leaving(grid, neighborhood, weights, block) ==
                                  weight_between(grid, neighborhood, weights, node_of),
                              "CARPOOL_SEED=" << seed);
    }
}

BOOST_AUTO_TEST_CASE(on_random_grids_mappings_are_permutations_and_never_worse) {
    for (auto [seed, left] = std::pair(first_seed(), random_cases(1500)); left > 0;
         --left, ++seed) {
        RandomSource random(seed);
        const int d = random.between(1, 3);
        const auto grid = random_grid(random, d);
        const auto neighborhood = random_offsets_of(random, d);
        const auto weights = random_weights(random, neighborhood.size());
        const auto node_of = random_nodes(random, static_cast<int>(grid.size()));
        const auto graph = weighted_graph_of(grid, neighborhood, weights);
        const auto mapping = mapping_of(grid, neighborhood, weights, nodes_of(node_of));
        const auto wrong = fault(graph, node_of, mapping);
        BOOST_REQUIRE_MESSAGE(wrong.empty(), wrong << ", CARPOOL_SEED=" << seed);
        const auto again = mapping_of(grid, neighborhood, weights, nodes_of(node_of));
        BOOST_REQUIRE_MESSAGE(again.positions == mapping.positions, "CARPOOL_SEED=" << seed);
    }
}

BOOST_AUTO_TEST_CASE(on_random_graphs_mappings_are_permutations_and_never_worse) {
    for (auto [seed, left] = std::pair(first_seed(), random_cases(1500)); left > 0;
         --left, ++seed) {
        RandomSource random(seed);
        const int ranks = random.between(1, 40);
        const auto graph = random_graph(random, ranks);
        const auto node_of = random_nodes(random, ranks);
        const auto wrong = fault(graph, node_of, mapping_of(graph, nodes_of(node_of)));
        BOOST_REQUIRE_MESSAGE(wrong.empty(), wrong << ", CARPOOL_SEED=" << seed);
    }
}

// Swaps of pairs end when no pair gains, which need not be the optimum.
BOOST_AUTO_TEST_CASE(tiny_mappings_are_mostly_the_best_there_are_and_never_better) {
    constexpr int cases = 1000;
    int best = 0;
    for (int seed = 0; seed < cases; ++seed) {
        RandomSource random(static_cast<std::uint64_t>(seed));
        const int ranks = random.between(2, 8);
        const auto graph = random_graph(random, ranks);
        const auto sizes = random_sizes(random, ranks, 4);
        const auto least = LeastBetween(graph, sizes).found();
        const auto found = mapping_of(graph, nodes_of(in_a_row(sizes))).between;
        BOOST_TEST_REQUIRE(found >= least);
        best += found == least ? 1 : 0;
    }
    BOOST_TEST(best >= cases * 85 / 100);
}

// A regular mapping stays unless at least a tenth can be gained.
BOOST_AUTO_TEST_CASE(tiny_grids_in_even_nodes_have_a_mapping_no_tenth_worse_than_the_best) {
    for (const char* grid : {"torus 2x4", "mesh 2x4", "torus 3x3", "mesh 3x3", "torus 3x4",
                             "grid 2px4", "mesh 8", "torus 8", "mesh 2x2x2"})
        for (const int per_node : {2, 3, 4}) {
            const auto where = grid_from_text(grid);
            const auto ranks = static_cast<int>(where.size());
            if (ranks % per_node != 0) continue;
            for (const auto& stencil :
                 {moore(where.dimensions(), 1), von_neumann(where.dimensions(), 1)}) {
                const LeastBetween least(
                    weighted_graph_of(where, stencil, {}),
                    Numbers(static_cast<std::size_t>(ranks / per_node), per_node));
                const auto between = on(grid, stencil, per_node).between;
                BOOST_TEST(between - between / 10 <= least.found(), grid << " by " << per_node);
            }
        }
}

BOOST_AUTO_TEST_SUITE_END()
