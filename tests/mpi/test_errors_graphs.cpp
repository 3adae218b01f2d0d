// SPDX-License-Identifier: MIT
// ranks: 2 3 5
// sanitize-ranks: none
//
// Errors in a graph, or in sizes along its edges, are the same on all ranks.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "refusal.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_errors_graphs)

namespace {

using namespace carpool::tests;

int allgather(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static int in[8], out[8];
    return Carpool_Neighbor_allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, comm, info, request);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_edge_that_only_its_source_knows_is_refused_on_all_ranks) {
    auto n = ring();
    if (world_rank() == 0) n.targets.push_back(1);
    const auto comm = distributed_graph(n);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("edge out", comm,
                   {MPI_ERR_TOPOLOGY, {"rank 0", "rank 1", "2 times", "targets", "once"}},
                   [&] { return allgather(comm, MPI_INFO_NULL, &request); });
    BOOST_TEST((request == CARPOOL_REQUEST_NULL));
}

BOOST_AUTO_TEST_CASE(an_edge_that_only_its_target_knows_is_refused_on_all_ranks) {
    auto n = ring();
    const int last = world_size() - 1;
    if (world_rank() == last) n.sources.push_back(last);
    const auto comm = distributed_graph(n);
    int in[4], out[4];
    expect_refusal("edge in", comm, {MPI_ERR_TOPOLOGY, {"sources", "once", "not"}}, [&] {
        return Carpool_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
    });
}

BOOST_AUTO_TEST_CASE(sizes_that_differ_along_an_edge_are_refused_on_all_ranks) {
    const Environment careful("CARPOOL_CHECK", "all");
    const auto n = ring();
    const auto comm = distributed_graph(n);
    const int counts[] = {world_rank() + 1};
    const int expected[] = {n.sources[0] + (world_rank() == 1 ? 3 : 1)};
    const int zero[] = {0};
    int in[8] = {}, out[8] = {7, 7, 7, 7, 7, 7, 7, 7};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const ExpectedError edge{MPI_ERR_ARG, {"rank 0 sends 4 bytes to rank 1, which expects "}};
    auto with_types = edge;
    with_types.words.emplace_back("expects 3 of MPI_INT (12 bytes)");
    expect_refusal("init", comm, with_types, [&] {
        return Carpool_Neighbor_alltoallv_init(in, counts, zero, MPI_INT, out, expected, zero,
                                               MPI_INT, comm, MPI_INFO_NULL, &request);
    });
    expect_refusal("blocking", comm, edge, [&] {
        return Carpool_Neighbor_alltoallv(in, counts, zero, MPI_INT, out, expected, zero, MPI_INT,
                                          comm);
    });
    for (const int untouched : out) BOOST_TEST(untouched == 7);
}

BOOST_AUTO_TEST_CASE(a_threshold_below_one_is_refused) {
    const auto comm = distributed_graph(ring());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    for (const char* value : {"0", "-3", "many"}) {
        const auto info = info_of({{"carpool_theta", value}, {"carpool_algorithm", "friends"}});
        expect_refusal(value, comm, {MPI_ERR_INFO_VALUE, {"carpool_theta", "at least 1"}},
                       [&] { return allgather(comm, info, &request); });
    }
}

BOOST_AUTO_TEST_CASE(a_rule_for_grids_is_refused_on_a_graph_that_is_none) {
    if (world_size() == 2) return;  // a star of two is a mesh
    const auto comm = distributed_graph(star());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    for (const char* rule : {"torus", "cartesian", "basis"}) {
        const auto info = info_of({{"carpool_algorithm", rule}});
        expect_refusal(rule, comm, {MPI_ERR_INFO_VALUE, {"carpool_algorithm", rule}},
                       [&] { return allgather(comm, info, &request); });
    }
}

BOOST_AUTO_TEST_CASE(rules_that_differ_between_ranks_are_refused_on_all) {
    const auto comm = distributed_graph(ring());
    const auto info = info_of({{"carpool_algorithm", world_rank() == 0 ? "mesh" : "friends"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("rules", comm, {MPI_ERR_ARG, {"carpool_algorithm"}},
                   [&] { return allgather(comm, info, &request); });
}

BOOST_AUTO_TEST_CASE(an_environment_that_differs_between_ranks_is_named_by_the_first_init) {
    const Environment alpha("CARPOOL_ALPHA", world_rank() == 0 ? "1" : "2");
    const auto comm = distributed_graph(ring());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("alpha", comm, {MPI_ERR_ARG, {"carpool_alpha", "on rank 0", "on rank 1"}},
                   [&] { return allgather(comm, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(different_operations_on_a_new_graph_are_refused_on_all) {
    const Environment rule("CARPOOL_ALGORITHM", "mesh");
    const auto comm = distributed_graph(ring());
    int in[8], out[8];
    expect_refusal("operations", comm, {MPI_ERR_ARG, {"collective operation"}}, [&] {
        return world_rank() == 0 ? Carpool_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm)
                                 : Carpool_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_communicator_without_any_topology_is_refused) {
    MPI_Comm plain = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &plain);
    const Comm comm(plain);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("plain", comm, {MPI_ERR_TOPOLOGY, {"MPI_Dist_graph_create"}},
                   [&] { return allgather(comm, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(queries_of_offsets_are_refused_on_a_graph) {
    const auto comm = distributed_graph(ring());
    int in[4], out[4], rank = 0;
    BOOST_TEST(Carpool_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm) == MPI_SUCCESS);
    const int relative[] = {1};
    expect_refusal("offset", comm, {MPI_ERR_TOPOLOGY, {"Carpool_Cart_neighborhood_create"}},
                   [&] { return Carpool_Cart_relative_rank(comm, relative, &rank); });
}

BOOST_AUTO_TEST_SUITE_END()
