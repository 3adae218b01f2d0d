// SPDX-License-Identifier: MIT
// ranks: 2
// environment: CARPOOL_PROGRESS=none
//
// Without any progress by the library, an MPI_Request completes in MPI's waits or is refused; other
// requests work as usual.

#include <boost/test/unit_test.hpp>

#include "forwarded_exchange.hpp"
#include "refusal.hpp"

BOOST_AUTO_TEST_SUITE(test_no_progress)

namespace {

using namespace carpool::tests;

bool waits_ask() { return dlsym(RTLD_DEFAULT, "MPIX_Grequest_start") != nullptr; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_persistent_request_completes_without_other_progress) {
    ForwardedExchange exchange;
    for (int round = 0; round < 20; ++round) {
        exchange.begin(Form::persistent, round);
        BOOST_TEST(exchange.end(Form::persistent) == MPI_SUCCESS);
        BOOST_TEST(exchange.arrived());
    }
}

BOOST_AUTO_TEST_CASE(an_mpi_request_that_nothing_would_complete_is_refused) {
    ForwardedExchange exchange;
    const auto call = [&] {
        static int sent[2], received[2];
        return Carpool_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, exchange.comm(),
                                          &exchange.once);
    };
    if (!waits_ask())
        return expect_refusal("Ineighbor_alltoall", exchange.comm(),
                              {MPI_ERR_UNSUPPORTED_OPERATION, {"MPI_Request", "CARPOOL_PROGRESS"}},
                              call);
    for (int round = 0; round < 20; ++round) {
        BOOST_TEST(call() == MPI_SUCCESS);
        BOOST_TEST(exchange.end(Form::nonblocking) == MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_SUITE_END()
