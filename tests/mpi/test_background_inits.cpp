// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 8
// sanitize-ranks: 3
//
// Neighborhood requests that are planned in the background: their init does not wait for other
// ranks, a start may precede the end of planning, and errors are returned by the start.

#include <boost/test/unit_test.hpp>

#include "check_operations.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "late_rank.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "starts.hpp"
#include "world.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_background_inits)

using namespace carpool::tests;

namespace {

/// The last rank calls the init only when all others have returned from it.
Carpool_Request planned_late(const CheckedExchange& exchange, MPI_Comm comm) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    before_the_late_one(world_size() - 1, [&] {
        BOOST_TEST(exchange.make_call({Form::background, comm, MPI_INFO_NULL, &request}) ==
                   MPI_SUCCESS);
    });
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(background_inits_on_a_declared_neighborhood_are_local) {
    for (const auto& torus : {torus_of(2), mesh_of(2)}) {
        for (const Operation operation : operations) {
            const GridNeighborhood grid(torus, moore(2, 1));
            auto exchange = grid.exchange(operation);
            check_starts(exchange, planned_late(exchange, grid.cart), 3, name_of(operation));
        }
    }
}

BOOST_AUTO_TEST_CASE(background_inits_on_a_graph_used_before_are_local) {
    auto rng = seeded();
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, rng);
    const auto comm = distributed_graph(n);
    check_all_operations("first", n, comm);
    for (const Operation operation : operations) {
        CheckedExchange exchange(along_edges(operation, n, world_rank()), n);
        check_starts(exchange, planned_late(exchange, comm), 3, name_of(operation));
    }
}

BOOST_AUTO_TEST_CASE(many_background_inits_may_be_pending_and_started_in_any_order) {
    auto rng = seeded();
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    const GridNeighborhood grid(mesh_of(2), stencil(2, 3));
    std::vector<CheckedExchange> exchanges;
    std::vector<Carpool_Request> requests(12, CARPOOL_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i)
        exchanges.push_back(grid.exchange(operations[i % 6]));
    for (auto& exchange : exchanges) exchange.prepare(0);
    for (std::size_t i = 0; i < requests.size(); ++i)
        exchanges[i].make_call({i % 3 == 0 ? Form::persistent : Form::background, grid.cart,
                                MPI_INFO_NULL, &requests[i]});
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), own);
    for (const auto i : order) BOOST_TEST(Carpool_Start(&requests[i]) == MPI_SUCCESS);
    std::shuffle(order.begin(), order.end(), own);
    for (const auto i : order)
        BOOST_TEST(Carpool_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    for (const auto& exchange : exchanges) BOOST_TEST(exchange.fault() == "");
    for (auto& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(an_error_of_a_background_init_is_returned_by_the_start) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    const int sent[] = {1, 2};
    int received[] = {0, 0};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int count = world_rank() == 0 ? -1 : 1;
    BOOST_TEST(Carpool_Ineighbor_alltoall_init(sent, count, MPI_INT, received, count, MPI_INT,
                                               grid.cart, MPI_INFO_NULL, &request) == MPI_SUCCESS);
    expect_refusal(
        "start", grid.cart, {MPI_ERR_COUNT, {"Carpool_Ineighbor_alltoall_init", "-1"}}, [&] {
            const int code = Carpool_Start(&request);
            return code != MPI_SUCCESS ? code : Carpool_Wait(&request, MPI_STATUS_IGNORE);
        });
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
