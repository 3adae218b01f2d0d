// SPDX-License-Identifier: MIT
// ranks: 4
// environment: CARPOOL_TEST_THREADS=multiple CARPOOL_PROGRESS=thread
//
// A thread of the library forwards blocks for others, whatever the rank does.

#include <boost/test/unit_test.hpp>

#include "forwarding_threads.hpp"

#include <chrono>

BOOST_AUTO_TEST_SUITE(test_progress_thread)

namespace {

using namespace carpool::tests;

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_forwards_while_it_sleeps) {
    if (!several_threads()) return;
    ForwardedExchange exchange;
    for (Form form : {Form::persistent, Form::nonblocking}) {
        for (int round = 0; round < 5; ++round) {
            exchange.begin(form, round);
            if (world_rank() == forwarding_rank)
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
            BOOST_TEST(exchange.end(form) == MPI_SUCCESS);
            BOOST_TEST(exchange.arrived());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_request_freed_while_active_completes_without_any_call) {
    if (!several_threads()) return;
    ForwardedExchange exchange;
    for (int round = 0; round < 10; ++round) {
        exchange.begin(Form::nonblocking, round);
        MPI_Request_free(&exchange.once);
        while (!exchange.arrived()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

BOOST_AUTO_TEST_CASE(threads_exchange_beside_that_of_the_library) {
    if (!several_threads()) return;
    for (int threads : {1, 2})
        BOOST_TEST(in_threads(threads,
                              [](int, MPI_Comm comm) { return forward_in_thread(comm, 20); }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
