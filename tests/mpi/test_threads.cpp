// SPDX-License-Identifier: MIT
// ranks: 4
// environment: CARPOOL_TEST_THREADS=multiple
//
// Several threads call MPI and Carpool, each on its own communicator; MPI progresses Carpool's
// exchanges from any of them.

#include <boost/test/unit_test.hpp>

#include "forwarding_threads.hpp"
#include "random_operations.hpp"
#include "seed.hpp"

#include <array>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_threads)

namespace {

using namespace carpool::tests;

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_that_waits_in_mpi_forwards_with_thread_multiple) {
    if (!several_threads()) return;
    ForwardedExchange exchange;
    wait_in_every_call_of_mpi(exchange, Form::persistent, 30);
    wait_in_every_call_of_mpi(exchange, Form::nonblocking, 30);
}

BOOST_AUTO_TEST_CASE(threads_exchange_on_communicators_of_their_own) {
    if (!several_threads() || !mpi_calls_back()) return;
    for (int threads : {1, 2, 3})
        BOOST_TEST(in_threads(threads,
                              [](int, MPI_Comm comm) { return forward_in_thread(comm, 40); }) == 0);
}

BOOST_AUTO_TEST_CASE(blocking_and_nonblocking_calls_of_several_threads_mix) {
    if (!several_threads()) return;
    const auto work = [](int thread, MPI_Comm comm) {
        int faults = 0;
        const int n = size_of(comm), me = rank_in(comm);
        for (int round = 0; round < 60; ++round) {
            std::vector<int> sent(static_cast<std::size_t>(n), 100 * me + round + thread);
            std::vector<int> received(sent.size(), -1);
            MPI_Request request = MPI_REQUEST_NULL;
            if (round % 2 == thread % 2)
                Carpool_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
            else
                Carpool_Ialltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm,
                                  &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int from = 0; from < n; ++from)
                faults += received[static_cast<std::size_t>(from)] != 100 * from + round + thread;
        }
        return faults;
    };
    BOOST_TEST(in_threads(3, work) == 0);
}

// The first calls on a communicator make its channel. One thread tests this while MPI calls back in
// another thread; neither may wait for the other.
BOOST_AUTO_TEST_CASE(threads_test_requests_while_others_make_first_calls) {
    if (!several_threads() || !mpi_calls_back()) return;
    const auto work = [](int thread, MPI_Comm comm) {
        int faults = 0;
        for (int round = 0; round < 16; ++round) {
            const int mine = 100 * rank_in(comm) + round + thread;
            std::vector<int> received(static_cast<std::size_t>(size_of(comm)), -1);
            if (round % 8 == 7) {
                MPI_Comm fresh = MPI_COMM_NULL;
                MPI_Comm_dup(comm, &fresh);
                Carpool_Allgather(&mine, 1, MPI_INT, received.data(), 1, MPI_INT, fresh);
                MPI_Comm_free(&fresh);
            } else {
                MPI_Request request = MPI_REQUEST_NULL;
                Carpool_Iallgather(&mine, 1, MPI_INT, received.data(), 1, MPI_INT, comm, &request);
                for (int ended = 0; ended == 0;) MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
            }
            for (int from = 0; from < size_of(comm); ++from)
                faults += received[static_cast<std::size_t>(from)] != 100 * from + round + thread;
        }
        return faults;
    };
    for (int batch = 0; batch < 20; ++batch) BOOST_TEST(in_threads(4, work) == 0);
}

// Each thread frees its handles at once, and has more calls in progress than may begin at a time.
BOOST_AUTO_TEST_CASE(threads_have_many_outstanding_calls) {
    if (!several_threads() || !mpi_calls_back()) return;
    const auto seed = seeded();
    const auto work = [&seed](int, MPI_Comm comm) {
        RandomOperations operations_under_test(comm, seed, 200, true);
        operations_under_test.run(500);
        return operations_under_test.faults();
    };
    BOOST_TEST(in_threads(3, work) == 0);
}

// MPICH frees such a communicator within its own progress, where it may hold a lock: Carpool may
// call it there, but destroy nothing.
BOOST_AUTO_TEST_CASE(the_end_of_an_operation_of_mpi_frees_its_communicator) {
    if (!several_threads() || !mpi_calls_back()) return;
    constexpr int threads = 3, rounds = 20, count = 200'000;
    static std::array<std::array<int, rounds>, threads> sums;  // written when nobody waits any more
    const auto work = [](int thread, MPI_Comm comm) {
        static constexpr int one = 1;
        int faults = 0;
        const int n = size_of(comm), next = (rank_in(comm) + 1) % n;
        const int previous = (rank_in(comm) + n - 1) % n;
        const std::vector<int> sent(count, rank_in(comm));
        for (std::size_t round = 0; round < rounds; ++round) {
            std::vector<int> received(count, -1);
            auto& sum = sums[static_cast<std::size_t>(thread)][round];
            MPI_Comm freed = MPI_COMM_NULL;
            std::array<MPI_Request, 3> requests{};
            MPI_Comm_dup(comm, &freed);
            MPI_Irecv(received.data(), count, MPI_INT, previous, 0, freed, requests.data());
            MPI_Isend(sent.data(), count, MPI_INT, next, 0, freed, &requests[1]);
            Carpool_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, freed, &requests[2]);
            MPI_Request_free(&requests[2]);
            MPI_Comm_free(&freed);
            for (int ended = 0; ended == 0;)
                MPI_Testall(2, requests.data(), &ended, MPI_STATUSES_IGNORE);
            MPI_Barrier(comm);
            faults += received.front() != previous || received.back() != previous;
        }
        return faults;
    };
    for (int batch = 0; batch < 5; ++batch) BOOST_TEST(in_threads(threads, work) == 0);
}

BOOST_AUTO_TEST_CASE(sparse_exchanges_of_several_threads_mix) {
    if (!several_threads()) return;
    const auto work = [](int thread, MPI_Comm comm) {
        int faults = 0;
        const int to = (rank_in(comm) + 1) % size_of(comm), one = 1, zero = 0;
        const int from = (rank_in(comm) + size_of(comm) - 1) % size_of(comm);
        for (int round = 0; round < 40; ++round) {
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            MPI_Request request = MPI_REQUEST_NULL;
            const int mine = 100 * rank_in(comm) + round + thread;
            Carpool_Isparse_exchange(1, &to, &mine, &one, &zero, MPI_INT, comm, &delivery,
                                     &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            int source = -1;
            MPI_Count bytes = -1;
            const void* data = nullptr;
            Carpool_Delivery_get(delivery, 0, &source, &bytes, &data);
            faults +=
                source != from || *static_cast<const int*>(data) != 100 * from + round + thread;
            Carpool_Delivery_free(&delivery);
        }
        return faults;
    };
    BOOST_TEST(in_threads(2, work) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
