// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 6 8
// nightly-ranks: 12
// sanitize-ranks: 4
// one-node: a_graph_made_from_any_rank_delivers_in_the_order_that_mpi_tells
//   (MPICH 5.0.2 hangs in MPI_Dist_graph_create between hosts)
//
// Every kind of topology that MPI has works without conversion; a graph that is a neighborhood on a
// torus or mesh is recognized.

#include <boost/test/unit_test.hpp>

#include "check_operations.hpp"
#include "checked_exchange.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "grid_cases.hpp"
#include "patterns.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_graph_topologies)

namespace {

using namespace carpool::tests;

/// A Cartesian communicator's neighbors in the standard's order: for each dimension the lower and
/// the upper one. What is sent down arrives from above.
Neighbors cartesian_neighbors(const Torus& torus, int rank) {
    Neighbors n;
    for (int k = 0; k < static_cast<int>(torus.dims.size()); ++k)
        for (const int direction : {0, 1}) {
            std::vector<int> offset(torus.dims.size(), 0);
            offset[static_cast<std::size_t>(k)] = direction == 0 ? -1 : 1;
            const int peer = torus.shifted(rank, offset.data(), 1);
            n.targets.push_back(peer);
            n.sources.push_back(peer);
            n.target_tags.push_back(2 * k + direction);
            n.source_tags.push_back(2 * k + 1 - direction);
        }
    return n;
}

Comm cartesian(const Torus& torus) {
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(torus.dims.size()), torus.dims.data(),
                    torus.periods.data(), 0, &cart);
    return Comm(cart);
}

std::string algorithm_of(MPI_Comm comm, MPI_Info info) {
    std::vector<int> in(64), out(64);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    if (Carpool_Neighbor_allgather_init(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, comm, info,
                                        &request) != MPI_SUCCESS)
        return "refused";
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    Carpool_Request_free(&request);
    return plan.algorithm;
}

/// Does a neighborhood of radius 1 fit on the torus, so that some rank has all neighbors?
bool has_room(const Torus& torus) {
    for (std::size_t k = 0; k < torus.dims.size(); ++k)
        if (torus.dims[k] == 2 && torus.periods[k] == 0) return false;
    return true;
}

/// The neighbors of this rank if each place of the torus has the rank `number(place)`.
template <class Number>
Neighbors numbered(const Torus& torus, const Pattern& pattern, std::mt19937& rng, Number number) {
    int place = 0;  // of this rank on the torus
    while (number(place) != world_rank()) ++place;
    Neighbors n = neighbors_of(place, torus, pattern);
    for (auto* peers : {&n.targets, &n.sources}) {
        for (int& peer : *peers) peer = number(peer);
        std::shuffle(peers->begin(), peers->end(), rng);
    }
    n.target_tags = occurrences(n.targets);
    n.source_tags = occurrences(n.sources);
    return n;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cartesian_communicator_delivers_by_direction_also_on_short_dimensions) {
    auto rng = seeded();
    for (const int d : {1, 2, 3})
        for (int n = 0; n < 4; ++n) {
            const Torus torus{random_dims(world_size(), d, rng),
                              std::vector<int>(static_cast<std::size_t>(d), n % 2)};
            const auto comm = cartesian(torus);
            check_all_operations("cart", cartesian_neighbors(torus, world_rank()), comm);
        }
}

BOOST_AUTO_TEST_CASE(a_cartesian_communicator_works_by_every_rule) {
    const Torus torus{balanced_dims(world_size(), 2), {1, 0}};
    for (const char* algorithm : {"direct", "torus", "cartesian", "basis", "friends", "mesh"}) {
        const Environment rule("CARPOOL_ALGORITHM", algorithm);
        const auto comm = cartesian(torus);
        check_all_operations(algorithm, cartesian_neighbors(torus, world_rank()), comm);
    }
}

BOOST_AUTO_TEST_CASE(a_graph_communicator_delivers_in_its_order) {
    const int size = world_size();
    std::vector<int> index, edges;
    for (int rank = 0; rank < size; ++rank) {  // both neighbors on a ring, and the rank itself
        edges.insert(edges.end(), {(rank + 1) % size, rank, (rank + size - 1) % size});
        index.push_back(static_cast<int>(edges.size()));
    }
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Graph_create(MPI_COMM_WORLD, size, index.data(), edges.data(), 0, &graph);
    const Comm comm(graph);
    Neighbors n;
    n.targets.assign(edges.begin() + 3 * world_rank(), edges.begin() + 3 * world_rank() + 3);
    n.sources = n.targets;
    n.target_tags = n.source_tags = occurrences(n.targets);
    check_all_operations("graph", n, comm);
}

BOOST_AUTO_TEST_CASE(a_graph_made_from_any_rank_delivers_in_the_order_that_mpi_tells) {
    const int size = world_size();
    std::vector<int> sources, degrees, targets;
    for (int from = world_rank(); from < size; from += size) {  // the next rank's edges
        sources.push_back((from + 1) % size);
        degrees.push_back(2);
        targets.insert(targets.end(), {(from + 2) % size, (from + 3) % size});
    }
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                          degrees.data(), targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    const Comm comm(graph);
    int in = 0, out = 0, weighted = 0;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    Neighbors n;
    n.sources.resize(static_cast<std::size_t>(in));
    n.targets.resize(static_cast<std::size_t>(out));
    MPI_Dist_graph_neighbors(graph, in, n.sources.data(), MPI_UNWEIGHTED, out, n.targets.data(),
                             MPI_UNWEIGHTED);
    n.target_tags = occurrences(n.targets);
    n.source_tags = occurrences(n.sources);
    check_all_operations("dist graph", n, comm);
}

BOOST_AUTO_TEST_CASE(a_shuffled_neighborhood_is_recognised_and_delivers) {
    auto rng = seeded();
    const auto by_cartesian = info_of({{"carpool_algorithm", "cartesian"}});
    for (const auto& pattern : {moore(1, 1), moore(2, 1), von_neumann(2, 1), moore(3, 1)})
        for (const int periodic : {1, 0}) {
            const Torus torus{balanced_dims(world_size(), pattern.d),
                              std::vector<int>(static_cast<std::size_t>(pattern.d), periodic)};
            const auto n = shuffled(torus, pattern, rng);
            const auto comm = distributed_graph(n);
            MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
            if (has_room(torus) && world_size() > 1)
                BOOST_TEST(algorithm_of(comm, by_cartesian) == "cartesian", pattern.name);
            check_all_operations(pattern.name, n, comm);
        }
}

BOOST_AUTO_TEST_CASE(ranks_numbered_column_by_column_or_in_blocks_are_recognised) {
    if (world_size() % 4 != 0) return;
    auto rng = seeded();
    const int rows = 2, columns = world_size() / 2;
    const Torus torus{{rows, columns}, {1, 1}};
    const auto by_column = [&](int place) { return place % columns * rows + place / columns; };
    const auto by_blocks = [&](int place) {  // of 2 by 2
        const int row = place / columns, column = place % columns;
        return column / 2 * 4 + row * 2 + column % 2;
    };
    const auto check_numbered = [&](const char* name, auto number) {
        const auto n = numbered(torus, moore(2, 1), rng, number);
        const auto comm = distributed_graph(n);
        BOOST_TEST(algorithm_of(comm, info_of({{"carpool_algorithm", "cartesian"}})) ==
                   "cartesian");
        check_all_operations(name, n, comm);
    };
    check_numbered("column by column", by_column);
    check_numbered("block by block", by_blocks);
}

BOOST_AUTO_TEST_CASE(a_graph_over_a_cartesian_communicator_is_recognised_and_delivers) {
    auto rng = seeded();
    const Torus torus{balanced_dims(world_size(), 2), {1, 1}};
    const auto cart = cartesian(torus);
    const auto n = shuffled(torus, moore(2, 1), rng);
    const auto comm = distributed_graph(n, cart);
    if (world_size() > 1)
        BOOST_TEST(algorithm_of(comm, info_of({{"carpool_algorithm", "cartesian"}})) ==
                   "cartesian");
    check_all_operations("graph over cart", n, comm);
}

BOOST_AUTO_TEST_CASE(rules_of_graphs_deliver_on_declared_neighborhoods_too) {
    for (const auto& pattern : {moore(2, 1), moore(1, 3)})
        for (const int periodic : {0, 1})
            for (const char* algorithm : {"friends", "cumulative", "mesh", "grid", "hypercube"}) {
                const Torus torus{balanced_dims(world_size(), pattern.d),
                                  std::vector<int>(static_cast<std::size_t>(pattern.d), periodic)};
                const auto info = info_of({{"carpool_algorithm", algorithm}});
                const auto comm = neighborhood(torus, pattern, info);
                const auto n = neighbors_of(world_rank(), torus, pattern);
                for (Operation operation : operations) {
                    CheckedExchange exchange(slotted(operation, n, world_rank()), n);
                    for (const Form form : {Form::blocking, Form::nonblocking, Form::persistent})
                        BOOST_TEST(run_once(exchange, form, comm) == "",
                                   pattern.name << ", " << algorithm << ", " << name_of(operation)
                                                << ", " << name_of(form));
                }
            }
}

BOOST_AUTO_TEST_CASE(a_graph_that_differs_in_one_edge_is_not_recognised) {
    if (world_size() < 6) return;
    auto rng = seeded();
    const Torus ring{{world_size()}, {1}};
    auto n = shuffled(ring, moore(1, 1), rng);
    const int size = world_size();
    if (world_rank() == 1) n.targets.push_back(4);
    if (world_rank() == 4) n.sources.push_back(1);
    n.target_tags = occurrences(n.targets);
    n.source_tags = occurrences(n.sources);
    const auto comm = distributed_graph(n);
    check_all_operations("ring of " + std::to_string(size) + " and one edge", n, comm);
    const auto by_cartesian = info_of({{"carpool_algorithm", "cartesian"}});
    std::vector<int> in(8), out(8);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal(
        "cartesian", comm,
        {MPI_ERR_INFO_VALUE, {"carpool_algorithm", "cartesian", "same neighborhood"}}, [&] {
            return Carpool_Neighbor_allgather_init(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT,
                                                   comm, by_cartesian, &request);
        });
}

BOOST_AUTO_TEST_SUITE_END()
