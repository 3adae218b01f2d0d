// SPDX-License-Identifier: MIT
// ranks: 2 5 8
// program: own
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 5
//
// Requests whose candidates are measured in their init: all ranks choose the same candidate, and
// not the slow one; every start delivers, and the result is remembered.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "grid_neighborhood.hpp"
#include "slow_messages.hpp"
#include "world.hpp"

#include <functional>
#include <string>

namespace {

using namespace carpool::tests;

/// Costs by which many messages at once are the fastest.
Info many_messages_with(const char* choice) {
    return info_of({{"carpool_alpha", "1e-6"},
                    {"carpool_beta", "0"},
                    {"carpool_sigma", "4e-6"},
                    {"carpool_choice", choice},
                    {"carpool_requests", "immediate"}});
}

/// Calls `make` while each message takes long.
template <typename Make>
auto with_slow_messages(const Make& make) {
    const SlowMessages slow;
    return make();
}

bool alike_on_all_ranks(const std::string& text) {
    return same_everywhere(static_cast<int>(std::hash<std::string>()(text) % 1000003));
}

void start_and_check(CheckedExchange& exchange, Carpool_Request& request, int starts) {
    for (int start = 0; start < starts; ++start) {
        exchange.prepare(start % 3);
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        const auto fault = exchange.fault();
        BOOST_TEST(fault == "", "start " << start << ": " << fault);
    }
}

BOOST_AUTO_TEST_SUITE(test_measurement)

BOOST_AUTO_TEST_CASE(all_ranks_choose_the_same_candidate_and_not_the_slow_one) {
    if (world_size() < 8) return;
    const GridNeighborhood grid(torus_of(1), moore(1, 3));
    auto exchange = grid.exchange(Operation::alltoall);
    const auto by_costs = many_messages_with("model");
    auto request = init(exchange, grid.cart, by_costs);
    BOOST_TEST(algorithm_of(request) == "direct");  // 10 us, while the others take 12
    Carpool_Request_free(&request);
    for (const char* const choice : {"auto", "measure"}) {
        const auto info = many_messages_with(choice);
        request = with_slow_messages([&] { return init(exchange, grid.cart, info); });
        BOOST_TEST(algorithm_of(request) != "direct");
        BOOST_TEST(alike_on_all_ranks(algorithm_of(request)));
        start_and_check(exchange, request, 3);
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(each_start_of_every_operation_is_right) {
    const auto info = many_messages_with("measure");
    for (const auto operation :
         {Operation::alltoall, Operation::allgather, Operation::alltoallw, Operation::allgatherv}) {
        const GridNeighborhood grid(mesh_of(2), moore(2, 1));
        auto exchange = grid.exchange(operation);
        auto request = init(exchange, grid.cart, info);
        BOOST_TEST(alike_on_all_ranks(algorithm_of(request)));
        start_and_check(exchange, request, 8);
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(the_candidate_found_is_remembered) {
    const GridNeighborhood grid(torus_of(1), moore(1, 2));
    auto exchange = grid.exchange(Operation::alltoall);
    const auto info = many_messages_with("measure");
    const auto sent_in_an_init = [&] {
        sent_by_mpi = 0;
        auto request = init(exchange, grid.cart, info);
        const int sent = sent_by_mpi;
        Carpool_Request_free(&request);
        return sent;
    };
    const int at_first = sent_in_an_init();
    const int later = sent_in_an_init();
    BOOST_TEST(at_first > later + 10);
}

BOOST_AUTO_TEST_CASE(a_start_allocates_nothing) {
    const GridNeighborhood grid(torus_of(1), moore(1, 2));
    auto exchange = grid.exchange(Operation::alltoall);
    const auto info = many_messages_with("measure");
    auto request = init(exchange, grid.cart, info);
    start_and_check(exchange, request, 4);
    for (int start = 0; start < 8; ++start) {
        exchange.prepare(start);
        allocations = 0;
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        const long allocated = allocations;
        BOOST_TEST(allocated == 0);
    }
    Carpool_Request_free(&request);
}

std::string way_of_sums(MPI_Info info) {
    const double one = world_rank() + 1;
    const double mine[] = {one, one};
    double sum[] = {0, 0};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Allreduce_init(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, info, &request);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(sum[1] == world_size() * (world_size() + 1) / 2);
    const auto way = algorithm_of(request);
    Carpool_Request_free(&request);
    return way;
}

/// By these costs many messages at once are the fastest, but in fact they are the slowest.
BOOST_AUTO_TEST_CASE(sums_that_round_are_measured_only_where_measure_is_given) {
    if (world_size() < 8) return;
    const auto by_costs = many_messages_with("model");
    const auto automatic = many_messages_with("auto");
    const auto measured = many_messages_with("measure");
    const auto way = way_of_sums(by_costs);
    BOOST_TEST(with_slow_messages([&] { return way_of_sums(automatic); }) == way);
    BOOST_TEST(with_slow_messages([&] { return way_of_sums(measured); }) != way);
}

BOOST_AUTO_TEST_CASE(an_invalid_or_differing_choice_is_refused) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    auto exchange = grid.exchange(Operation::alltoall);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto unknown = info_of({{"carpool_choice", "guess"}});
    BOOST_TEST(exchange.make_call({Form::persistent, grid.cart, unknown, &request}) != MPI_SUCCESS);
    const auto differs = info_of({{"carpool_choice", world_rank() == 0 ? "measure" : "model"}});
    BOOST_TEST(exchange.make_call({Form::persistent, grid.cart, differs, &request}) != MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
