// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// program: own
// sanitize-ranks: none
//
// Wrong use of requests and helpers is an error, and everything else continues.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "late_agreements.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <climits>

namespace {

using namespace carpool::tests;

/// A persistent request, active on all ranks until the end of the scope.
class Active {
public:
    Active() : exchange_(grid.exchange(Operation::alltoall)) {
        exchange_.prepare(0);
        request = init(exchange_, grid.cart);
        Carpool_Start(&request);
    }

    /// Completes the request, and checks that the exchange was not disturbed.
    ~Active() {
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(exchange_.fault() == "");
        BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    }

    GridNeighborhood grid{torus_of(1), moore(1, 1)};
    Carpool_Request request = CARPOOL_REQUEST_NULL;

private:
    CheckedExchange exchange_;
};

const ExpectedError is_active{MPI_ERR_REQUEST, {"request", "active"}};
const ExpectedError is_null{MPI_ERR_REQUEST, {"request", "CARPOOL_REQUEST_NULL"}};

/// A call of all ranks of a grid, wrong if counts are negative.
MPI_Request posted(const CheckedExchange& exchange, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    exchange.make_call({Form::nonblocking, comm, MPI_INFO_NULL, nullptr, &request});
    return request;
}

}  // namespace

namespace {

/// Ranks that would not notice a mistake must return the error too.
Info all_check() { return info_of({{"carpool_check", "all"}}); }

}  // namespace

BOOST_AUTO_TEST_SUITE(test_errors_requests)

BOOST_AUTO_TEST_CASE(start_of_an_active_request_is_refused) {
    Active a;
    expect_refusal("Start", a.grid.cart, is_active, [&] { return Carpool_Start(&a.request); });
}

BOOST_AUTO_TEST_CASE(startall_with_an_active_request_starts_none) {
    Active a;
    auto exchange = a.grid.exchange(Operation::alltoall);
    Carpool_Request both[2] = {init(exchange, a.grid.cart), a.request};
    expect_refusal("Startall", a.grid.cart, is_active, [&] { return Carpool_Startall(2, both); });
    BOOST_TEST(Carpool_Request_free(&both[0]) == MPI_SUCCESS);  // still inactive
    BOOST_TEST(exchange.untouched());
}

BOOST_AUTO_TEST_CASE(free_of_an_active_request_is_refused) {
    Active a;
    expect_refusal("Request_free", a.grid.cart, is_active,
                   [&] { return Carpool_Request_free(&a.request); });
    BOOST_TEST((a.request != CARPOOL_REQUEST_NULL));
}

BOOST_AUTO_TEST_CASE(a_request_is_active_until_it_is_completed) {
    Active a;
    for (int others = 0; others < 20; ++others) {  // it completed long before these
        auto exchange = a.grid.exchange(Operation::allgather);
        BOOST_TEST(run_once(exchange, Form::nonblocking, a.grid.cart) == "");
    }
    expect_refusal("Start", a.grid.cart, is_active, [&] { return Carpool_Start(&a.request); });
    expect_refusal("Request_free", a.grid.cart, is_active,
                   [&] { return Carpool_Request_free(&a.request); });
}

BOOST_AUTO_TEST_CASE(start_and_free_of_a_null_request_are_refused) {
    Carpool_Request null = CARPOOL_REQUEST_NULL;
    Carpool_Plan plan{};
    expect_refusal("Start", MPI_COMM_SELF, is_null, [&] { return Carpool_Start(&null); });
    expect_refusal("Request_free", MPI_COMM_SELF, is_null,
                   [&] { return Carpool_Request_free(&null); });
    expect_refusal("get_plan", MPI_COMM_SELF, is_null,
                   [&] { return Carpool_Request_get_plan(null, &plan); });
}

BOOST_AUTO_TEST_CASE(negative_numbers_of_requests_are_refused) {
    int index = 0, flag = 0;
    const ExpectedError expected_error{MPI_ERR_COUNT, {"count", "-1"}};
    auto refused = [&](const char* what, const std::function<int()>& call) {
        expect_refusal(what, MPI_COMM_SELF, expected_error, call);
    };
    refused("Startall", [] { return Carpool_Startall(-1, nullptr); });
    refused("Waitall", [] { return Carpool_Waitall(-1, nullptr, MPI_STATUSES_IGNORE); });
    refused("Testall", [&] { return Carpool_Testall(-1, nullptr, &flag, MPI_STATUSES_IGNORE); });
    refused("Waitany", [&] { return Carpool_Waitany(-1, nullptr, &index, MPI_STATUS_IGNORE); });
    refused("Testany",
            [&] { return Carpool_Testany(-1, nullptr, &index, &flag, MPI_STATUS_IGNORE); });
}

BOOST_AUTO_TEST_CASE(a_communicator_without_neighborhood_is_refused) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const Comm owned(comm);
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    for (Operation operation : operations)
        for (Form form : forms) {
            auto exchange = grid.exchange(operation);
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            MPI_Request once = MPI_REQUEST_NULL;
            expect_refusal(
                name_of(operation), comm, {MPI_ERR_TOPOLOGY, {"comm", "neighborhood"}},
                [&] { return exchange.make_call({form, comm, MPI_INFO_NULL, &request, &once}); });
            BOOST_TEST(exchange.untouched());
        }
}

BOOST_AUTO_TEST_CASE(queries_of_a_topology_refuse_wrong_arguments) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1));
    int relative = 0, rank = 0, t = 0;
    auto refused = [](MPI_Comm comm, int error_class, std::vector<std::string> words,
                      const std::function<int()>& call) {
        expect_refusal("helper", comm, {error_class, std::move(words)}, call);
    };
    refused(grid.cart, MPI_ERR_RANK, {"rank", std::to_string(world_size())},
            [&] { return Carpool_Cart_relative_coord(grid.cart, world_size(), &relative); });
    refused(grid.cart, MPI_ERR_RANK, {"rank", "-1"},
            [&] { return Carpool_Cart_relative_coord(grid.cart, -1, &relative); });
    refused(grid.cart, MPI_ERR_ARG, {"relative", "null"},
            [&] { return Carpool_Cart_relative_rank(grid.cart, nullptr, &rank); });
    refused(grid.cart, MPI_ERR_ARG, {"maxin", "-1"},
            [&] { return Carpool_Cart_neighbor_get(grid.cart, -1, &t, &t, 0, &t, &t); });
    refused(grid.cart, MPI_ERR_ARG, {"maxoffsets", "-7"},
            [&] { return Carpool_Cart_neighbor_offsets(grid.cart, -7, &t); });
    refused(MPI_COMM_WORLD, MPI_ERR_TOPOLOGY, {"neighborhood"},
            [&] { return Carpool_Cart_neighbor_count(MPI_COMM_WORLD, &t); });
}

BOOST_AUTO_TEST_CASE(coordinates_near_the_limits_of_int_do_not_overflow) {
    const GridNeighborhood ring(torus_of(1), {"huge", 1, {INT_MAX, INT_MIN, INT_MIN + 1}});
    const GridNeighborhood line(mesh_of(1), {"huge", 1, {INT_MAX, INT_MIN}});
    const auto expected = [](long long offset) {
        const long long n = world_size();
        return static_cast<int>(((world_rank() + offset) % n + n) % n);
    };
    for (int offset : ring.pattern.offsets) {
        int rank = -77;
        Carpool_Cart_relative_rank(ring.cart, &offset, &rank);
        BOOST_TEST(rank == expected(offset));
        Carpool_Cart_relative_rank(line.cart, &offset, &rank);
        BOOST_TEST(rank == MPI_PROC_NULL);
    }
}

BOOST_AUTO_TEST_CASE(errors_reach_every_rank_in_any_order_of_starts_and_waits) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), all_check());
    const LateAgreements late;
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    auto a = grid.exchange(Operation::alltoall), b = grid.exchange(Operation::allgather);
    const int classes[2] = {MPI_ERR_COUNT, MPI_ERR_BUFFER};
    if (world_rank() == 0) a.arguments().send.counts[0] = -1;
    if (world_rank() == size_of(grid.cart) - 1) b.arguments().send.buffer = MPI_IN_PLACE;
    for (int round = 0; round < 20; ++round) {
        MPI_Request requests[2] = {posted(a, grid.cart), posted(b, grid.cart)};
        const int first = world_rank() % 2;
        for (int i : {first, 1 - first})
            BOOST_TEST(class_of(MPI_Wait(&requests[i], MPI_STATUS_IGNORE)) == classes[i]);
    }
    BOOST_TEST(a.untouched());
    BOOST_TEST(b.untouched());
}

BOOST_AUTO_TEST_CASE(a_test_is_true_when_its_request_has_ended_by_an_error) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), all_check());
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    std::vector<int> sent(4), received(4);
    const int count = world_rank() == 0 ? -1 : 1;
    MPI_Request request = MPI_REQUEST_NULL;
    Carpool_Ineighbor_alltoall(sent.data(), count, MPI_INT, received.data(), 1, MPI_INT, grid.cart,
                               &request);
    int flag = 0;
    int code = MPI_SUCCESS;
    while (flag == 0) code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    BOOST_TEST(class_of(code) == MPI_ERR_COUNT);
    BOOST_TEST((request == MPI_REQUEST_NULL));
}

BOOST_AUTO_TEST_CASE(a_mistake_does_not_keep_a_correct_exchange_from_completing) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), all_check());
    const LateAgreements late;
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    auto bad = grid.exchange(Operation::alltoall), good = grid.exchange(Operation::allgather);
    if (world_rank() == 0) bad.arguments().send.counts[0] = -1;
    for (int round = 0; round < 20; ++round) {
        good.prepare(round);
        MPI_Request requests[2] = {posted(bad, grid.cart), posted(good, grid.cart)};
        const int first = world_rank() % 2;
        int codes[2];
        for (int i : {first, 1 - first}) codes[i] = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        BOOST_TEST(class_of(codes[0]) == MPI_ERR_COUNT);
        BOOST_TEST(codes[1] == MPI_SUCCESS);
        BOOST_TEST(good.fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(collectives_may_be_called_between_an_erroneous_start_and_its_wait) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), all_check());
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    auto bad = grid.exchange(Operation::alltoall);
    if (world_rank() == 0) bad.arguments().send.counts[0] = -1;
    for (int round = 0; round < 20; ++round) {
        int sum = 1;
        MPI_Request reduction;
        MPI_Request request = posted(bad, grid.cart);
        MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, grid.cart, &reduction);
        if (world_rank() % 2 == 0) MPI_Wait(&reduction, MPI_STATUS_IGNORE);
        BOOST_TEST(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPI_ERR_COUNT);
        MPI_Wait(&reduction, MPI_STATUS_IGNORE);
        BOOST_TEST(sum == world_size());
    }
}

BOOST_AUTO_TEST_CASE(mismatched_sizes_are_not_confused_with_a_collective_before_the_wait) {
    if (world_size() == 1) return;
    for (const bool on_mesh : {false, true}) {
        const GridNeighborhood grid(on_mesh ? mesh_of(1) : torus_of(1), moore(1, 1), all_check());
        MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
        auto bad = grid.exchange(Operation::alltoall);
        if (world_rank() == 0) {
            bad.arguments().send.counts[0] *= 2;
            bad.arguments().recv.counts[0] *= 2;
        }
        MPI_Request request = posted(bad, grid.cart);
        int ended = 0;
        for (int i = 0; i < 100 && ended == 0 && world_rank() == 0; ++i)
            if (MPI_Test(&request, &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
        int root = world_rank();
        MPI_Bcast(&root, 1, MPI_INT, 0, grid.cart);
        BOOST_TEST(root == 0);
        if (request != MPI_REQUEST_NULL)
            BOOST_TEST(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPI_ERR_ARG);
        BOOST_TEST(bad.untouched());
    }
}

BOOST_AUTO_TEST_SUITE_END()
