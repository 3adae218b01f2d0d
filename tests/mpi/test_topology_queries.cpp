// SPDX-License-Identifier: MIT
// ranks: 1 2 4 6 8
// nightly-ranks: 12
// sanitize-ranks: none
//
// Paper 2, listing 2: the helpers on a communicator with a neighborhood.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_topology_queries)

namespace {

using namespace carpool::tests;

std::vector<Place> places() {
    auto rng = seeded();
    return grid_cases(world_size(), rng);
}

int relative_rank(MPI_Comm cart, const std::vector<int>& relative) {
    int rank = -77;
    Carpool_Cart_relative_rank(cart, relative.data(), &rank);
    return rank;
}

std::vector<int> relative_coord(MPI_Comm cart, int rank, int d) {
    std::vector<int> relative(static_cast<std::size_t>(d), -77);
    Carpool_Cart_relative_coord(cart, rank, relative.data());
    return relative;
}

/// The shorter difference of two coordinates; the positive one if both are equally long.
int shorter(int difference, int dim, bool periodic) {
    if (!periodic) return difference;
    const int up = (difference % dim + dim) % dim;
    return up <= dim - up ? up : up - dim;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_relative_rank_lies_at_coordinates_plus_relative) {
    for (const Place& place : places()) {
        const GridNeighborhood grid(place.torus, place.pattern);
        for (int i = 0; i < place.pattern.t(); ++i) {
            const int* offset = place.pattern.offset(i);
            const std::vector<int> relative(offset, offset + place.pattern.d);
            BOOST_TEST(relative_rank(grid.cart, relative) ==
                           grid.neighbors.targets[static_cast<std::size_t>(i)],
                       place.text() << ", position " << i);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_shift_gives_source_and_target) {
    for (const Place& place : places()) {
        const GridNeighborhood grid(place.torus, place.pattern);
        for (std::size_t i = 0; i < grid.neighbors.targets.size(); ++i) {
            int from = -77, to = -77;
            Carpool_Cart_relative_shift(grid.cart, place.pattern.offset(static_cast<int>(i)), &from,
                                        &to);
            BOOST_TEST(from == grid.neighbors.sources[i], place.text() << ", position " << i);
            BOOST_TEST(to == grid.neighbors.targets[i], place.text() << ", position " << i);
        }
    }
}

BOOST_AUTO_TEST_CASE(relative_coordinates_take_the_shorter_way_round) {
    for (const std::vector<int>& periods : {std::vector{1, 1}, {0, 0}, {0, 1}}) {
        const Torus torus{balanced_dims(world_size(), 2), periods};
        const GridNeighborhood grid(torus, moore(2, 1));
        const auto here = torus.coordinates(world_rank());
        for (int rank = 0; rank < world_size(); ++rank) {
            const auto there = torus.coordinates(rank);
            std::vector<int> expected;
            for (std::size_t k = 0; k < 2; ++k)
                expected.push_back(shorter(there[k] - here[k], torus.dims[k], periods[k] != 0));
            BOOST_TEST(relative_coord(grid.cart, rank, 2) == expected,
                       boost::test_tools::per_element());
            BOOST_TEST(relative_rank(grid.cart, expected) == rank);
        }
    }
}

BOOST_AUTO_TEST_CASE(on_a_ring_of_four_the_opposite_rank_is_plus_two_away) {
    if (world_size() != 4) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const int expected[4] = {0, 1, 2, -1};
    for (int step = 0; step < 4; ++step)
        BOOST_TEST(relative_coord(grid.cart, (world_rank() + step) % 4, 1)[0] == expected[step]);
}

BOOST_AUTO_TEST_CASE(the_neighbors_are_given_back_in_order_with_weights) {
    for (const Place& place : places()) {
        const auto t = static_cast<std::size_t>(place.pattern.t());
        std::vector<int> weights(t), source(t), target(t), in(t), out(t);
        for (std::size_t i = 0; i < t; ++i) weights[i] = static_cast<int>(10 + i * i);
        MPI_Comm cart;
        Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, place.pattern.d, place.torus.dims.data(),
                                         place.torus.periods.data(), place.pattern.t(),
                                         place.pattern.offsets.data(), weights.data(),
                                         MPI_INFO_NULL, 0, &cart);
        const Comm owned(cart);
        const int most = place.pattern.t();
        Carpool_Cart_neighbor_get(cart, most, source.data(), in.data(), most, target.data(),
                                  out.data());
        const auto expected = neighbors_of(world_rank(), place.torus, place.pattern);
        BOOST_TEST((source == expected.sources), place.text());
        BOOST_TEST((target == expected.targets), place.text());
        BOOST_TEST((in == weights), place.text());
        BOOST_TEST((out == weights), place.text());
    }
}

BOOST_AUTO_TEST_CASE(an_unweighted_neighborhood_has_weights_one) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    std::vector<int> source(2), target(2), in(2, -77), out(2, -77);
    Carpool_Cart_neighbor_get(grid.cart, 2, source.data(), in.data(), 2, target.data(), out.data());
    BOOST_TEST(in == (std::vector{1, 1}), boost::test_tools::per_element());
    BOOST_TEST(out == (std::vector{1, 1}), boost::test_tools::per_element());
    const int code = Carpool_Cart_neighbor_get(grid.cart, 2, source.data(), MPI_UNWEIGHTED, 2,
                                               target.data(), MPI_UNWEIGHTED);
    BOOST_TEST(code == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(no_more_neighbors_are_given_than_there_is_room_for) {
    const GridNeighborhood grid(torus_of(1), moore(1, 2));  // -2 -1 1 2
    std::vector<int> source(4, -77), target(4, -77), in(4, -77), out(4, -77);
    Carpool_Cart_neighbor_get(grid.cart, 1, source.data(), in.data(), 3, target.data(), out.data());
    BOOST_TEST(source[0] == grid.neighbors.sources[0]);
    BOOST_TEST(source[1] == -77);
    BOOST_TEST(in[1] == -77);
    BOOST_TEST(target[2] == grid.neighbors.targets[2]);
    BOOST_TEST(target[3] == -77);
    BOOST_TEST(out[3] == -77);
}

BOOST_AUTO_TEST_CASE(the_list_of_offsets_comes_back_as_it_was_given) {
    for (const Place& place : places()) {
        const GridNeighborhood grid(place.torus, place.pattern);
        int t = -77;
        Carpool_Cart_neighbor_count(grid.cart, &t);
        BOOST_TEST(t == place.pattern.t());
        std::vector<int> offsets(place.pattern.offsets.size(), -77);
        Carpool_Cart_neighbor_offsets(grid.cart, t, offsets.data());
        BOOST_TEST((offsets == place.pattern.offsets), place.text());
    }
}

BOOST_AUTO_TEST_CASE(no_more_offsets_are_given_than_there_is_room_for) {
    const GridNeighborhood grid(torus_of(2), {"two", 2, {1, 2, 3, 4}});
    std::vector<int> offsets(4, -77);
    Carpool_Cart_neighbor_offsets(grid.cart, 1, offsets.data());
    BOOST_TEST(offsets == (std::vector{1, 2, -77, -77}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_neighbors_make_a_distributed_graph_of_the_host) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    std::vector<int> source(8), target(8), in(8), out(8);
    Carpool_Cart_neighbor_get(grid.cart, 8, source.data(), in.data(), 8, target.data(), out.data());
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 8, source.data(), in.data(), 8, target.data(),
                                   out.data(), MPI_INFO_NULL, 0, &graph);
    const Comm owned(graph);
    int indegree, outdegree, weighted;
    MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
    BOOST_TEST(indegree == 8);
    BOOST_TEST(outdegree == 8);
}

BOOST_AUTO_TEST_SUITE_END()
