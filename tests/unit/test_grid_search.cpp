// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_source.hpp"
#include "topology/bits.hpp"
#include "topology/grid_search.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_grid_search)

using namespace carpool::topology;

namespace {

using Vector = std::vector<int>;

template <class T>
void shuffle(std::vector<T>& values, RandomSource& random) {
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1],
                  values[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
}

/// The graph of a neighborhood, where rank r of the grid has the number `number[r]`. Targets are
/// listed as a user might list them: without those off a mesh, in any order.
Graph listed(const Grid& grid, const Neighborhood& neighborhood, const Vector& number,
             RandomSource& random) {
    std::vector<Vector> targets(static_cast<std::size_t>(grid.size()));
    const auto graph = graph_of(grid, neighborhood);
    for (std::size_t rank = 0; rank < graph.size(); ++rank) {
        auto& mine = targets[static_cast<std::size_t>(number[rank])];
        for (const auto& edge : graph[rank].out)
            if (edge.peer != no_rank) mine.push_back(number[static_cast<std::size_t>(edge.peer)]);
        shuffle(mine, random);
    }
    return graph_of_targets(targets);
}

Vector row_by_row(const Grid& grid) {
    Vector number(static_cast<std::size_t>(grid.size()));
    std::iota(number.begin(), number.end(), 0);
    return number;
}

/// Digits of a rank's number from the most to the least significant: the dimension, and the number
/// of coordinates that one unit of the digit stands for.
using Digits = std::vector<std::pair<int, int>>;

Vector by_digits(const Grid& grid, const Digits& digits) {
    Vector number;
    for (int rank = 0; rank < grid.size(); ++rank) {
        const auto at = grid.coordinates(rank);
        auto& mine = number.emplace_back(0);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const auto [k, unit] = digits[i];
            int end = grid.dim(k);  // the next larger unit of this dimension
            for (const auto& [other, greater] : digits)
                if (other == k && greater > unit) end = std::min(end, greater);
            mine = mine * (end / unit) + at[static_cast<std::size_t>(k)] % end / unit;
        }
    }
    return number;
}

/// Numbers by dimensions in this order, the least significant one last.
Vector by_dimensions(const Grid& grid, const Vector& order) {
    Digits digits;
    for (const int k : order) digits.emplace_back(k, 1);
    return by_digits(grid, digits);
}

/// Numbers block by block, with rows of blocks, and rows of ranks in each block.
Vector by_blocks(const Grid& grid, const Vector& blocks) {
    Digits digits;
    for (int k = 0; k < grid.dimensions(); ++k)
        if (const int block = blocks[static_cast<std::size_t>(k)]; block < grid.dim(k))
            digits.emplace_back(k, block);
    for (int k = 0; k < grid.dimensions(); ++k)
        if (blocks[static_cast<std::size_t>(k)] > 1) digits.emplace_back(k, 1);
    return by_digits(grid, digits);
}

/// Does every edge lead to the rank that its place in the neighborhood says, and does each place
/// have one edge?
bool leads_there(const Isomorphism& found, int rank, const Adjacency& edges) {
    const auto check = [&](const Vector& order, const std::vector<Edge>& listed, int sign) {
        std::vector<bool> seen(listed.size());
        for (int i = 0; i < found.neighborhood.size(); ++i) {
            const int peer =
                found.grid.rank_at(found.grid.coordinates(rank), found.neighborhood[i], sign);
            const int edge = order[static_cast<std::size_t>(i)];
            if ((peer == no_rank) != (edge < 0)) return false;
            if (edge < 0) continue;
            if (listed[static_cast<std::size_t>(edge)].peer != peer) return false;
            if (seen[static_cast<std::size_t>(edge)]) return false;
            seen[static_cast<std::size_t>(edge)] = true;
        }
        return std::ranges::find(seen, false) == seen.end();
    };
    return check(found.send_order, edges.out, 1) && check(found.recv_order, edges.in, -1);
}

/// Searches as all ranks do together. Checks that all find the same, and that it matches their
/// edges.
std::optional<Isomorphism> found_in(const Graph& graph) {
    int model = 0;
    for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank)
        if (graph[static_cast<std::size_t>(rank)].out.size() >
            graph[static_cast<std::size_t>(model)].out.size())
            model = rank;
    const GridSearch search(static_cast<int>(graph.size()), model,
                            graph[static_cast<std::size_t>(model)].out);
    std::vector<std::uint64_t> misfits(words_of_bits(search.size()));
    for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank) {
        const auto mine = search.misfits(rank, graph[static_cast<std::size_t>(rank)]);
        std::ranges::transform(misfits, mine, misfits.begin(), std::bit_or{});
    }
    std::optional<Isomorphism> first;
    for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank) {
        const auto& edges = graph[static_cast<std::size_t>(rank)];
        auto found = search.best(misfits, rank, edges);
        if (!found) {
            BOOST_TEST(rank == 0, "only some ranks find a grid");
            return std::nullopt;
        }
        BOOST_TEST(leads_there(*found, rank, edges), "rank " << rank);
        if (rank == 0) first = std::move(found);
    }
    return first;
}

/// The number of rounds of cartesian on the grid that is found; -1 if none is found.
int rounds_found(const Graph& graph) {
    const auto found = found_in(graph);
    return found ? distinct_coordinates(found->neighborhood) : -1;
}

std::vector<bool> all(std::size_t dimensions, bool periodic) {
    return std::vector<bool>(dimensions, periodic);
}

/// A grid of 2 to 6 dimensions and at most 160 ranks; meshes are long enough that some rank has
/// neighbors on both sides.
Grid grid_of_few_ranks(RandomSource& random) {
    const bool periodic = !random.one_in(3);
    Vector dims;
    int ranks = 1;
    const int dimensions = random.between(2, periodic ? 6 : 4);
    while (static_cast<int>(dims.size()) < dimensions) {
        const int dim = random.between(periodic ? 2 : 3, 5);
        if (ranks * dim > 160) break;
        dims.push_back(dim);
        ranks *= dim;
    }
    return {dims, all(dims.size(), periodic)};
}

/// Offsets that use each dimension, at most 1 away: on a mesh some rank has all of them.
Neighborhood random_neighborhood(int dimensions, RandomSource& random) {
    const auto sides = von_neumann(dimensions, 1);
    Vector flat(sides.flat().begin(), sides.flat().end());
    for (int i = random.between(0, 4) * dimensions; i > 0; --i)
        flat.push_back(random.between(-1, 1));
    return {dimensions, std::move(flat)};
}

/// Numbers row by row with the dimensions in any order, or block by block.
Vector random_numbers(const Grid& grid, RandomSource& random) {
    if (grid.dimensions() <= 3 && random.one_in(2)) {
        Vector blocks;
        for (int k = 0; k < grid.dimensions(); ++k) {
            int block = random.between(1, grid.dim(k));
            while (grid.dim(k) % block != 0) --block;
            blocks.push_back(block);
        }
        return by_blocks(grid, blocks);
    }
    Vector order(static_cast<std::size_t>(grid.dimensions()));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random);
    return by_dimensions(grid, order);
}

std::string described(const Grid& grid) {
    std::string text = grid.fully_periodic() ? "torus" : "mesh";
    for (int k = 0; k < grid.dimensions(); ++k) text += " " + std::to_string(grid.dim(k));
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(twelve_ranks_are_searched_on_eight_shapes_and_six_in_blocks) {
    // 12; 2x6 3x4 4x3 6x2; 2x2x3 2x3x2 3x2x2, with 2, 4 and 8 ways to be periodic. In blocks 2x6 of
    // 2x2 and 2x3, 6x2 of 2x1 and 3x1, 3x4 of 3x2 and 4x3 of 2x1, with 2 ways each
    const std::vector<Edge> targets{{1, 0}};
    BOOST_TEST(GridSearch(12, 0, targets).size() == 1 * 2 + 4 * 4 + 3 * 8 + 6 * 2);
}

BOOST_AUTO_TEST_CASE(a_prime_number_of_ranks_is_a_ring_or_a_path) {
    const std::vector<Edge> targets{{1, 0}};
    BOOST_TEST(GridSearch(13, 0, targets).size() == 2);
}

BOOST_AUTO_TEST_CASE(a_search_is_as_short_as_many_targets_ask_for) {
    for (const int ranks : {64, 720, 4096, 1 << 20})
        for (const int targets : {1, 100, 1000, 100'000}) {
            const std::vector<Edge> edges(static_cast<std::size_t>(targets), Edge{1, 0});
            const GridSearch search(ranks, 0, edges);
            BOOST_TEST(search.size() >= 2);
            BOOST_TEST(search.size() <= std::max(1 << 13, 2 * (1 << 18) / targets));
            BOOST_TEST((targets == 1 || search.size() <= (1 << 18) / targets + 16));
        }
}

//  0 3 6 9 12
//  1 4 7 10 13
//  2 5 8 11 14
BOOST_AUTO_TEST_CASE(columns_are_recognised_as_rows_of_the_grid_turned_round) {
    RandomSource random(3);
    const Grid grid({3, 5}, all(2, true));
    const Vector columns{0, 3, 6, 9, 12, 1, 4, 7, 10, 13, 2, 5, 8, 11, 14};
    BOOST_TEST(columns == by_dimensions(grid, {1, 0}), boost::test_tools::per_element());
    const auto found = found_in(listed(grid, moore(2, 1), columns, random));
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->grid.dim(0) == 5);
    BOOST_TEST(found->grid.dim(1) == 3);
    BOOST_TEST(found->grid.blocks().empty());
}

BOOST_AUTO_TEST_CASE(blocks_of_2x2_are_recognised_on_torus_and_mesh) {
    RandomSource random(4);
    for (const bool periodic : {true, false}) {
        const Grid grid({4, 4}, all(2, periodic));
        const Vector blocks{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
        BOOST_TEST(blocks == by_blocks(grid, {2, 2}), boost::test_tools::per_element());
        BOOST_TEST(rounds_found(listed(grid, moore(2, 1), blocks, random)) == 4);
    }
}

BOOST_AUTO_TEST_CASE(a_hypercube_of_seven_dimensions_is_recognised) {
    RandomSource random(5);
    const Grid cube(Vector(7, 2), all(7, true));
    // one rank away in each dimension, and the opposite corner
    Vector flat;
    for (int k = 0; k < 7; ++k)
        for (int j = 0; j < 7; ++j) flat.push_back(j == k);
    flat.insert(flat.end(), 7, 1);
    const auto found = found_in(listed(cube, {7, flat}, row_by_row(cube), random));
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->grid.dimensions() == 7);
    BOOST_TEST(distinct_coordinates(found->neighborhood) == 7);
}

BOOST_AUTO_TEST_CASE(random_shapes_are_recognised_however_they_are_numbered) {
    const auto first = first_seed();
    std::cout << "test_grid_search: seed " << first << std::endl;
    for (std::uint64_t seed = first; seed < first + random_cases(25); ++seed) {
        RandomSource random(seed);
        const auto grid = grid_of_few_ranks(random);
        const auto neighborhood = random_neighborhood(grid.dimensions(), random);
        const int rounds =
            rounds_found(listed(grid, neighborhood, random_numbers(grid, random), random));
        // perhaps on another grid, where it needs fewer rounds
        BOOST_TEST((rounds > 0 && rounds <= distinct_coordinates(shortened(grid, neighborhood))),
                   "seed " << seed << ", " << described(grid) << ": " << rounds << " rounds");
    }
}

BOOST_AUTO_TEST_CASE(ranks_numbered_at_random_are_not_recognised) {
    RandomSource random(6);
    const Grid grid({5, 7}, all(2, true));
    auto number = row_by_row(grid);
    BOOST_TEST(rounds_found(listed(grid, moore(2, 1), number, random)) == 4);
    shuffle(number, random);
    BOOST_TEST(rounds_found(listed(grid, moore(2, 1), number, random)) == -1);
}

BOOST_AUTO_TEST_CASE(one_edge_that_leads_elsewhere_is_seen) {
    RandomSource random(7);
    const Grid grid({2, 2, 2, 2, 2}, all(5, true));
    auto graph = listed(grid, von_neumann(5, 1), row_by_row(grid), random);
    BOOST_TEST(rounds_found(graph) > 0);
    auto& edges = graph[9].out;
    edges.front().peer = (edges.front().peer + 3) % 32;
    BOOST_TEST(rounds_found(graph) == -1);
}

BOOST_AUTO_TEST_SUITE_END()
