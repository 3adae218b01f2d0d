// SPDX-License-Identifier: MIT
// ranks: 2 4
// sanitize-ranks: none
// environment: CARPOOL_TEST_NODES=1
//
// The debugger's function that prints missing messages changes nothing. All messages go by MPI
// here.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "standard_error.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_wait_report)

extern "C" void Carpool_who_waits();

namespace {

using namespace carpool::tests;

/// Calls the function until after all messages have arrived.
void ask_again_and_again() {
    const StandardError quiet;
    for (const double end = MPI_Wtime() + 0.02; MPI_Wtime() < end;) {
        int flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        Carpool_who_waits();
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(printing_the_missing_messages_receives_none_of_them) {
    for (const char* algorithm : {"direct", "torus", "cartesian", "hypercube"}) {
        GridNeighborhood grid{torus_of(1), moore(1, 2)};
        CheckedExchange exchange{grid.exchange(Operation::alltoall)};
        auto request = init(exchange, grid.cart, info_of({{"carpool_algorithm", algorithm}}));
        for (int start = 0; start < 5; ++start) {
            exchange.prepare(start);
            BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
            ask_again_and_again();
            BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            BOOST_TEST(exchange.fault() == "", algorithm);
        }
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_SUITE_END()
