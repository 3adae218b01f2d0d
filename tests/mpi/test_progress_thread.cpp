// SPDX-License-Identifier: MIT
// ranks: 4
// environment: CARPOOL_TEST_THREADS=multiple CARPOOL_PROGRESS=thread
//
// A thread of the library forwards blocks for others, whatever the rank does.

#include <boost/test/unit_test.hpp>

#include "thread_relays.hpp"

#include <chrono>

namespace {

using namespace carpool::tests;

}  // namespace

BOOST_AUTO_TEST_SUITE(test_progress_thread)

BOOST_AUTO_TEST_CASE(a_rank_forwards_while_it_sleeps) {
    if (!several_threads()) return;
    Relay relay;
    for (Form form : {Form::persistent, Form::nonblocking}) {
        for (int round = 0; round < 5; ++round) {
            relay.begin(form, round);
            if (world_rank() == relaying_rank)
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
            BOOST_TEST(relay.end(form) == MPI_SUCCESS);
            BOOST_TEST(relay.arrived());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_request_freed_early_ends_without_any_call) {
    if (!several_threads()) return;
    Relay relay;
    for (int round = 0; round < 10; ++round) {
        relay.begin(Form::nonblocking, round);
        MPI_Request_free(&relay.once);
        while (!relay.arrived()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

BOOST_AUTO_TEST_CASE(threads_exchange_beside_that_of_the_library) {
    if (!several_threads()) return;
    for (int threads : {1, 2})
        BOOST_TEST(
            in_threads(threads, [](int, MPI_Comm comm) { return relay_in_thread(comm, 20); }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
