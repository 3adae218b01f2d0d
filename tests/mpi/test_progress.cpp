// SPDX-License-Identifier: MIT
// ranks: 4 5
// sanitize-ranks: 4
//
// A rank forwards blocks for others while it waits in a function of MPI.

#include <boost/test/unit_test.hpp>

#include "forwarded_exchange.hpp"

BOOST_AUTO_TEST_SUITE(test_progress)

namespace {

using namespace carpool::tests;

constexpr int rounds = 50;

}  // namespace

BOOST_AUTO_TEST_CASE(the_exchange_under_test_is_forwarded) {
    ForwardedExchange exchange;
    Carpool_Plan plan{};
    Carpool_Request_get_plan(exchange.persistent(), &plan);
    BOOST_TEST(plan.phases == 2);
}

BOOST_AUTO_TEST_CASE(a_started_request_progresses_in_any_call_of_mpi) {
    ForwardedExchange exchange;
    wait_in_every_call_of_mpi(exchange, Form::persistent, rounds);
}

BOOST_AUTO_TEST_CASE(a_nonblocking_call_progresses_in_any_call_of_mpi) {
    ForwardedExchange exchange;
    wait_in_every_call_of_mpi(exchange, Form::nonblocking, rounds);
}

BOOST_AUTO_TEST_CASE(a_first_call_on_a_communicator_progresses_in_any_call_of_mpi) {
    for (int round = 0; round < 5; ++round) {
        const ForwardedExchange first;
        MPI_Comm copy;
        MPI_Comm_dup(first.comm(), &copy);
        const Comm owned(copy);
        int sent = world_rank(), received = -1;
        MPI_Request request;
        const auto begin = [&] {
            Carpool_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &sent, 0, MPI_INT, copy,
                              &request);
        };
        begin();
        if (world_rank() == forwarding_rank)
            MPI_Recv(&received, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        if (world_rank() == 0) MPI_Send(&sent, 1, MPI_INT, forwarding_rank, 3, MPI_COMM_WORLD);
    }
}

BOOST_AUTO_TEST_CASE(a_rank_that_waits_for_one_exchange_forwards_those_of_another) {
    ForwardedExchange one, other;
    for (int round = 0; round < rounds; ++round) {
        one.begin(Form::nonblocking, round);
        other.begin(Form::nonblocking, round + 5);
        auto& first = world_rank() % 2 == 0 ? one : other;
        auto& second = world_rank() % 2 == 0 ? other : one;
        BOOST_TEST(first.end(Form::nonblocking) == MPI_SUCCESS);
        BOOST_TEST(second.end(Form::nonblocking) == MPI_SUCCESS);
        BOOST_TEST(first.arrived());
        BOOST_TEST(second.arrived());
    }
}

BOOST_AUTO_TEST_CASE(sparse_exchanges_progress_in_any_call_of_mpi) {
    if (!mpi_calls_back()) return;
    const int to = (world_rank() + 1) % world_size(), one = 1, zero = 0, mine = world_rank();
    const int from = (world_rank() + world_size() - 1) % world_size();
    for (const char* way : {"direct", "digits", "star"}) {
        setenv("CARPOOL_SPARSE_EXCHANGE", way, 1);
        for (int round = 0; round < rounds; ++round) {
            Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
            MPI_Request request;
            Carpool_Isparse_exchange(1, &to, &mine, &one, &zero, MPI_INT, MPI_COMM_WORLD, &delivery,
                                     &request);
            int word = 0;
            if (world_rank() == forwarding_rank)
                MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            if (world_rank() == 0) MPI_Send(&word, 1, MPI_INT, forwarding_rank, 3, MPI_COMM_WORLD);
            int source = -1;
            MPI_Count bytes = -1;
            const void* data = nullptr;
            Carpool_Delivery_get(delivery, 0, &source, &bytes, &data);
            BOOST_TEST(source == from, way);
            Carpool_Delivery_free(&delivery);
        }
        unsetenv("CARPOOL_SPARSE_EXCHANGE");
    }
}

BOOST_AUTO_TEST_SUITE_END()
