// SPDX-License-Identifier: MIT
// ranks: 8
// environment: CARPOOL_TEST_NODES=4 CARPOOL_CHOICE=model
// one-node: all (has nodes of its own)
//
// With ranks on several nodes, the model chooses rules and algorithms that are aware of nodes.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "patterns.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>

#include <functional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_choice_on_nodes)

namespace {

using namespace carpool::tests;

/// The algorithm of a request that the init makes.
std::string algorithm_of(const std::function<int(Carpool_Request*)>& init) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(init(&request) == MPI_SUCCESS);
    Carpool_Plan plan;
    BOOST_REQUIRE(Carpool_Request_get_plan(request, &plan) == MPI_SUCCESS);
    Carpool_Request_free(&request);
    return plan.algorithm;
}

std::string algorithm_of_alltoall(MPI_Comm comm, const Pattern& pattern, int bytes) {
    const auto room = static_cast<std::size_t>(pattern.t() * bytes);
    std::vector<char> out(room);
    std::vector<char> in(room);
    return algorithm_of([&](Carpool_Request* request) {
        return Carpool_Neighbor_alltoall_init(out.data(), bytes, MPI_BYTE, in.data(), bytes,
                                              MPI_BYTE, comm, MPI_INFO_NULL, request);
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_blocks_to_many_neighbors_are_combined_by_node) {
    const auto pattern = moore(3, 1);
    const auto comm = neighborhood(Torus{{2, 2, 2}, {1, 1, 1}}, pattern);
    BOOST_TEST(algorithm_of_alltoall(comm, pattern, 40).starts_with("node"));
}

BOOST_AUTO_TEST_CASE(long_blocks_to_few_neighbors_are_sent_directly) {
    const auto pattern = von_neumann(1, 1);
    const auto comm = neighborhood(Torus{{8}, {1}}, pattern);
    BOOST_TEST(algorithm_of_alltoall(comm, pattern, 1 << 20) == "direct");
}

BOOST_AUTO_TEST_CASE(the_blocks_of_a_small_alltoall_are_combined_by_node) {
    std::vector<int> out(8);
    std::vector<int> in(8);
    BOOST_TEST(algorithm_of([&](Carpool_Request* request) {
                   return Carpool_Alltoall_init(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT,
                                                MPI_COMM_WORLD, MPI_INFO_NULL, request);
               }).starts_with("node"));
}

BOOST_AUTO_TEST_SUITE_END()
