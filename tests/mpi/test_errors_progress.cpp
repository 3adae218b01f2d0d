// SPDX-License-Identifier: MIT
// ranks: 1 2
// sanitize-ranks: 2
// environment: CARPOOL_PROGRESS=teleport
//
// Each init refuses an invalid CARPOOL_PROGRESS before it plans anything.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "halo_array.hpp"
#include "refusal.hpp"

#include <carpool/carpool.h>

BOOST_AUTO_TEST_SUITE(test_errors_progress)

namespace {

using namespace carpool::tests;

void expect_progress_refused(const char* what, MPI_Comm comm,
                             const std::function<int(Carpool_Request*)>& init) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal(what, comm, {MPI_ERR_ARG, {"CARPOOL_PROGRESS is teleport", "host, thread"}},
                   [&] { return init(&request); });
    BOOST_TEST((request == CARPOOL_REQUEST_NULL), what);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_init_refuses_an_invalid_progress_setting) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    int sent[2], received[2];
    expect_progress_refused("neighborhood", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, grid.cart,
                                              MPI_INFO_NULL, request);
    });
    expect_progress_refused("barrier", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Barrier_init(grid.cart, MPI_INFO_NULL, request);
    });
    expect_progress_refused("in the background", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Ibarrier_init(grid.cart, MPI_INFO_NULL, request);
    });
    expect_progress_refused("bundle", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Bundle_init(0, nullptr, grid.cart, MPI_INFO_NULL, request);
    });
    HaloCase halo{grid.torus,
                  {std::vector<int>(static_cast<std::size_t>(world_size()), 3)},
                  {1},
                  {1},
                  moore(1, 1)};
    HaloArrays arrays(halo, world_rank(), 0, HaloArrays::Filled::owned);
    HaloCall call(halo, arrays.addresses());
    expect_progress_refused("halo", grid.cart, [&](Carpool_Request* request) {
        return Carpool_Halo_init(&call.arguments, grid.cart, MPI_INFO_NULL, request);
    });
}

BOOST_AUTO_TEST_CASE(the_init_of_a_sparse_exchange_refuses_an_invalid_progress_setting) {
    const auto comm = duplicate_of_world();
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    BOOST_TEST_REQUIRE(Carpool_Sparse_exchange(0, nullptr, nullptr, nullptr, nullptr, MPI_INT, comm,
                                               &delivery) == MPI_SUCCESS);
    expect_progress_refused("sparse", comm, [&](Carpool_Request* request) {
        return Carpool_Sparse_exchange_init(delivery, nullptr, nullptr, comm, MPI_INFO_NULL,
                                            request);
    });
    Carpool_Delivery_free(&delivery);
}

BOOST_AUTO_TEST_SUITE_END()
