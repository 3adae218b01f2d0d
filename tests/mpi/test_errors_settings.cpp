// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// sanitize-ranks: 2
//
// Mistaken settings: preferences, orders, and keys that do not exist.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "error_cases.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "standard_error.hpp"
#include "world.hpp"

#include <numeric>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_errors_settings)

namespace {

using namespace carpool::tests;

/// A graph that is no grid: edges between rank 0 and each other rank.
Comm star() {
    std::vector<int> peers(static_cast<std::size_t>(world_rank() == 0 ? world_size() - 1 : 1));
    std::iota(peers.begin(), peers.end(), world_rank() == 0 ? 1 : 0);
    if (world_size() == 1) peers.clear();
    const int degree = static_cast<int>(peers.size());
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, peers.data(), MPI_UNWEIGHTED, degree,
                                   peers.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    return Comm(comm);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rule_in_the_environment_is_a_preference) {
    const Environment environment("CARPOOL_ALGORITHM", "cartesian");
    const auto graph = star();
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const int degree = world_size() == 1 ? 0 : world_rank() == 0 ? world_size() - 1 : 1;
    const auto room = static_cast<std::size_t>(degree + 2);
    std::vector<int> sent(room, world_rank()), received(room);
    BOOST_TEST(Carpool_Neighbor_allgather(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                          graph) == MPI_SUCCESS);
    if (world_rank() > 0) BOOST_TEST(received[0] == 0);
    int sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST(allreduce_init(sent.data(), &sum, 1, MPI_SUM, MPI_INFO_NULL, &request) ==
               MPI_SUCCESS);
    Carpool_Request_free(&request);
    BOOST_TEST(Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              grid.cart, MPI_INFO_NULL, &request) == MPI_SUCCESS);
    BOOST_TEST(algorithm_of(request) == "cartesian");
    Carpool_Request_free(&request);
    if (world_size() <= 2) return;  // on two ranks the star is a grid
    expect_refusal("as an order", graph,
                   {MPI_ERR_INFO_VALUE, {"carpool_algorithm in the info is 'torus'"}}, [&] {
                       return Carpool_Neighbor_alltoall_init(
                           sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, graph,
                           info_of({{"carpool_algorithm", "torus"}}), &request);
                   });
}

BOOST_AUTO_TEST_CASE(an_info_wins_over_a_preference) {
    const Environment environment("CARPOOL_ALGORITHM", "torus");
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    auto exchange = grid.exchange(Operation::alltoall);
    BOOST_TEST(std::string(plan_of(exchange, grid.cart, "direct").algorithm) == "direct");
    BOOST_TEST(std::string(plan_of(exchange, grid.cart, "auto").algorithm) != "torus");
}

BOOST_AUTO_TEST_CASE(a_preference_that_is_no_rule_is_refused) {
    const Environment environment("CARPOOL_ALGORITHM", "teleport");
    MPI_Comm comm = MPI_COMM_NULL;
    const int dims = world_size(), wraps = 1, offset = 1;
    expect_refusal("create", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE,
                    {"carpool_algorithm in the environment (CARPOOL_ALGORITHM) is 'teleport'"}},
                   [&] {
                       return Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, &dims, &wraps, 1,
                                                               &offset, MPI_UNWEIGHTED,
                                                               MPI_INFO_NULL, 0, &comm);
                   });
}

BOOST_AUTO_TEST_CASE(misspelt_keys_are_reported_once) {
    const auto info = info_of({{"carpool_algoritm", "ring"},
                               {"others_key", "1"},
                               {"carpool_xyzzy", "1"},
                               {"carpool_report", "summary"}});
    int one = 1, sum = 0;
    StandardError error;
    for (int i = 0; i < 2; ++i) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST(allreduce_init(&one, &sum, 1, MPI_SUM, info, &request) == MPI_SUCCESS);
        Carpool_Request_free(&request);
    }
    const std::string warning =
        "Carpool: carpool_algoritm in the info is unknown, did you mean carpool_algorithm?\n"
        "Carpool: carpool_xyzzy in the info is unknown\n"
        "Carpool: carpool_report in the info is read in the environment alone, as "
        "CARPOOL_REPORT\n";
    BOOST_TEST(error.text() == (world_rank() == 0 ? warning : ""));
}

BOOST_AUTO_TEST_SUITE_END()
