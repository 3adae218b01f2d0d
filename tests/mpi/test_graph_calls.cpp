// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 6 8
// nightly-ranks: 12
// sanitize-ranks: 4
//
// Several calls on one graph: with other sizes, communicators and orders.

#include <boost/test/unit_test.hpp>

#include "check_operations.hpp"
#include "checked_exchange.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "patterns.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_graph_calls)

using namespace carpool::tests;

BOOST_AUTO_TEST_CASE(a_duplicate_communicator_keeps_its_plans_apart_from_the_original) {
    auto rng = seeded();
    const auto n = shuffled({{world_size()}, {1}}, moore(1, 2), rng);
    const auto comm = distributed_graph(n);
    check_all_operations("original", n, comm);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);
    const Comm duplicate(copy);
    check_all_operations("duplicate", n, duplicate);
    check_all_operations("original again", n, comm);
}

BOOST_AUTO_TEST_CASE(sizes_may_change_from_call_to_call) {
    auto rng = seeded();
    std::mt19937 order(3);
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, order);
    for (const char* algorithm : {"mesh", "hypercube", "auto"}) {
        const Environment rule("CARPOOL_ALGORITHM", algorithm);
        const auto comm = distributed_graph(n);
        std::vector<CheckedExchange> exchanges;
        for (int variation = 0; variation < 3; ++variation)
            exchanges.emplace_back(along_edges(Operation::alltoallv, n, world_rank(), variation),
                                   n);
        for (int call = 0; call < 12; ++call) {
            const auto fault = run_once(exchanges[rng() % 3], Form::blocking, comm);
            BOOST_TEST(fault.empty(), algorithm << ", call " << call << ": " << fault);
        }
    }
}

BOOST_AUTO_TEST_CASE(calls_that_all_ranks_check_deliver_too) {
    auto rng = seeded();
    const Environment careful("CARPOOL_CHECK", "all");
    for (const char* algorithm : {"auto", "mesh", "friends"}) {
        const Environment rule("CARPOOL_ALGORITHM", algorithm);
        const auto n = shuffled({{world_size()}, {1}}, moore(1, 2), rng);
        const auto comm = distributed_graph(n);
        check_all_operations(algorithm, n, comm);
    }
}

BOOST_AUTO_TEST_CASE(requests_may_be_started_and_awaited_in_any_order) {
    std::mt19937 order(5);
    auto rng = seeded();
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, order);
    const auto comm = distributed_graph(n);
    const auto info = info_of({{"carpool_algorithm", "hypercube"}});
    std::vector<CheckedExchange> exchanges;
    std::vector<Carpool_Request> requests(6, CARPOOL_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i)
        exchanges.emplace_back(along_edges(operations[i], n, world_rank()), n);
    for (std::size_t i = 0; i < requests.size(); ++i)
        exchanges[i].make_call({Form::persistent, comm, info, &requests[i]});
    std::vector<std::size_t> mine{0, 1, 2, 3, 4, 5};
    for (auto& exchange : exchanges) exchange.prepare(0);
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    std::shuffle(mine.begin(), mine.end(), own);
    for (const auto i : mine) Carpool_Start(&requests[i]);
    std::shuffle(mine.begin(), mine.end(), own);
    for (const auto i : mine) Carpool_Wait(&requests[i], MPI_STATUS_IGNORE);
    for (const auto i : mine) BOOST_TEST(exchanges[i].fault() == "", name_of(operations[i]));
    for (auto& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_first_call_progresses_the_calls_that_other_ranks_wait_for) {
    auto rng = seeded();
    const Environment rule("CARPOOL_ALGORITHM", "hypercube");
    const auto n = shuffled({{world_size()}, {1}}, moore(1, 2), rng);
    const auto comm = distributed_graph(n);
    CheckedExchange first(along_edges(Operation::allgather, n, world_rank()), n);
    CheckedExchange second(along_edges(Operation::alltoall, n, world_rank()), n);
    BOOST_TEST(run_once(first, Form::blocking, comm) == "");  // plans one kind of operation
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    first.prepare(0);
    second.prepare(0);
    first.make_call({Form::nonblocking, comm, MPI_INFO_NULL, nullptr, &requests[0]});
    if (world_rank() % 2 == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    second.make_call(
        {Form::nonblocking, comm, MPI_INFO_NULL, nullptr, &requests[1]});  // plans the other kind
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    BOOST_TEST(first.fault() == "");
    BOOST_TEST(second.fault() == "");
}

BOOST_AUTO_TEST_SUITE_END()
