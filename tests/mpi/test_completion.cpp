// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// sanitize-ranks: 2
//
// Completion as MPI defines it: Test, Testall, Testany, Wait, Waitall, Waitany, their statuses, and
// null and inactive requests among active ones.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_completion)

namespace {

using namespace carpool::tests;

constexpr int untouched = -77;

MPI_Status garbage() {
    MPI_Status status;
    status.MPI_SOURCE = status.MPI_TAG = status.MPI_ERROR = untouched;
    return status;
}

/// MPI 4.1 §3.7.3: the empty status. Wait and Test leave MPI_ERROR alone.
bool is_empty(const MPI_Status& status) {
    int count = untouched, cancelled = 1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    MPI_Test_cancelled(&status, &cancelled);
    return status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0 &&
           !cancelled;
}

/// A persistent request on a small ring.
struct Exercise {
    GridNeighborhood grid{torus_of(1), moore(1, 1)};
    CheckedExchange exchange{grid.exchange(Operation::alltoall)};
    Carpool_Request request{init(exchange, grid.cart)};

    Exercise() { exchange.prepare(0); }
    ~Exercise() { Carpool_Request_free(&request); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(wait_on_an_inactive_request_returns_at_once_with_an_empty_status) {
    Exercise e;
    for (int round = 0; round < 3; ++round) {
        auto status = garbage();
        BOOST_TEST(Carpool_Wait(&e.request, &status) == MPI_SUCCESS);
        BOOST_TEST(is_empty(status));
        BOOST_TEST(e.request != CARPOOL_REQUEST_NULL);
        Carpool_Start(&e.request);
        Carpool_Wait(&e.request, MPI_STATUS_IGNORE);
    }
}

BOOST_AUTO_TEST_CASE(wait_on_a_null_request_returns_at_once_with_an_empty_status) {
    Carpool_Request null = CARPOOL_REQUEST_NULL;
    auto status = garbage();
    BOOST_TEST(Carpool_Wait(&null, &status) == MPI_SUCCESS);
    BOOST_TEST(is_empty(status));
    BOOST_TEST(Carpool_Wait(&null, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(test_on_an_inactive_or_null_request_is_true) {
    Exercise e;
    Carpool_Request null = CARPOOL_REQUEST_NULL;
    for (Carpool_Request* request : {&e.request, &null}) {
        int flag = 0;
        auto status = garbage();
        BOOST_TEST(Carpool_Test(request, &flag, &status) == MPI_SUCCESS);
        BOOST_TEST(flag);
        BOOST_TEST(is_empty(status));
    }
}

BOOST_AUTO_TEST_CASE(a_loop_of_tests_completes_an_exchange) {
    Exercise e;
    Carpool_Start(&e.request);
    int flag = 0;
    MPI_Status status = garbage();
    while (!flag) Carpool_Test(&e.request, &flag, &status);
    BOOST_TEST(e.exchange.fault() == "");
    BOOST_TEST(e.request != CARPOOL_REQUEST_NULL);
}

BOOST_AUTO_TEST_CASE(a_test_without_success_leaves_the_request_active) {
    Exercise e;
    if (world_size() == 1) return;
    int flag = 0;
    if (world_rank() == 0) {
        Carpool_Start(&e.request);
        Carpool_Test(&e.request, &flag, MPI_STATUS_IGNORE);
        BOOST_TEST(!flag);  // no other rank has started
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() != 0) Carpool_Start(&e.request);
    Carpool_Wait(&e.request, MPI_STATUS_IGNORE);
    BOOST_TEST(e.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(completion_sets_a_nonblocking_request_to_null) {
    Exercise e;
    for (bool by_test : {false, true}) {
        MPI_Request request = MPI_REQUEST_NULL;
        e.exchange.prepare(by_test);
        e.exchange.make_call({Form::nonblocking, e.grid.cart, MPI_INFO_NULL, nullptr, &request});
        BOOST_TEST(request != MPI_REQUEST_NULL);
        int flag = 0;
        while (by_test && !flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(request == MPI_REQUEST_NULL);
        BOOST_TEST(e.exchange.fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(waitall_passes_over_null_and_inactive_requests) {
    Exercise a, b, idle;
    Carpool_Request requests[5] = {CARPOOL_REQUEST_NULL, a.request, idle.request, b.request,
                                   CARPOOL_REQUEST_NULL};
    MPI_Status statuses[5] = {garbage(), garbage(), garbage(), garbage(), garbage()};
    Carpool_Start(&requests[1]);
    Carpool_Start(&requests[3]);
    BOOST_TEST(Carpool_Waitall(5, requests, statuses) == MPI_SUCCESS);
    BOOST_TEST(a.exchange.fault() == "");
    BOOST_TEST(b.exchange.fault() == "");
    BOOST_TEST(idle.exchange.untouched());
    for (int i : {0, 2, 4}) BOOST_TEST(is_empty(statuses[i]), "status " << i);
}

BOOST_AUTO_TEST_CASE(waitall_and_testall_of_nothing_succeed) {
    int flag = 0;
    BOOST_TEST(Carpool_Waitall(0, nullptr, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Testall(0, nullptr, &flag, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(flag);
    BOOST_TEST(Carpool_Startall(0, nullptr) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(testall_is_true_only_when_all_have_completed) {
    Exercise a, b;
    if (world_size() == 1) return;
    Carpool_Request requests[3] = {a.request, CARPOOL_REQUEST_NULL, b.request};
    int flag = 0;
    Carpool_Start(&requests[0]);
    if (world_rank() == 0) {
        Carpool_Start(&requests[2]);
        Carpool_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
        BOOST_TEST(!flag);  // no other rank has started b
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() != 0) Carpool_Start(&requests[2]);
    while (!flag) Carpool_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    BOOST_TEST(a.exchange.fault() == "");
    BOOST_TEST(b.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(waitany_completes_one_after_the_other_then_says_undefined) {
    Exercise a, b, idle;
    Carpool_Request requests[4] = {idle.request, a.request, CARPOOL_REQUEST_NULL, b.request};
    Carpool_Start(&requests[1]);
    Carpool_Start(&requests[3]);
    int first = untouched, second = untouched, third = untouched;
    auto status = garbage();
    Carpool_Waitany(4, requests, &first, MPI_STATUS_IGNORE);
    Carpool_Waitany(4, requests, &second, MPI_STATUS_IGNORE);
    Carpool_Waitany(4, requests, &third, &status);
    BOOST_TEST(first + second == 4);
    BOOST_TEST((first == 1 || first == 3));
    BOOST_TEST(third == MPI_UNDEFINED);
    BOOST_TEST(is_empty(status));
    BOOST_TEST(a.exchange.fault() == "");
    BOOST_TEST(b.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(waitany_returns_the_request_that_can_complete) {
    Exercise a, b;
    if (world_size() == 1) return;
    Carpool_Request requests[2] = {a.request, b.request};
    Carpool_Start(&requests[1]);
    if (world_rank() == 0) Carpool_Start(&requests[0]);  // the others start a only later
    int index = untouched;
    Carpool_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    BOOST_TEST(index == 1);
    BOOST_TEST(b.exchange.fault() == "");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() != 0) Carpool_Start(&requests[0]);
    Carpool_Waitall(2, requests, MPI_STATUSES_IGNORE);
    BOOST_TEST(a.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(testany_without_active_requests_is_true_and_undefined) {
    Exercise idle;
    Carpool_Request requests[2] = {CARPOOL_REQUEST_NULL, idle.request};
    for (int count : {0, 1, 2}) {
        int index = untouched, flag = 0;
        auto status = garbage();
        Carpool_Testany(count, requests, &index, &flag, &status);
        BOOST_TEST(flag);
        BOOST_TEST(index == MPI_UNDEFINED);
        BOOST_TEST(is_empty(status));
    }
}

BOOST_AUTO_TEST_CASE(testany_completes_every_request_once) {
    Exercise a, b;
    Carpool_Request requests[2] = {a.request, b.request};
    Carpool_Startall(2, requests);
    int completed[2] = {0, 0};
    while (completed[0] + completed[1] < 2) {
        int index = untouched, flag = 0;
        Carpool_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        if (flag) ++completed[index];
    }
    BOOST_TEST(completed[0] == 1);
    BOOST_TEST(completed[1] == 1);
    BOOST_TEST(a.exchange.fault() == "");
    BOOST_TEST(b.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(waitany_sets_a_nonblocking_request_to_null) {
    Exercise e;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    e.exchange.make_call({Form::nonblocking, e.grid.cart, MPI_INFO_NULL, nullptr, &requests[1]});
    int index = untouched;
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    BOOST_TEST(index == 1);
    BOOST_TEST(requests[1] == MPI_REQUEST_NULL);
    BOOST_TEST(e.exchange.fault() == "");
}

BOOST_AUTO_TEST_CASE(a_rank_without_neighbors_completes_at_once) {
    const GridNeighborhood grid(torus_of(2), {"none", 2, {}});
    for (Operation operation : operations) {
        auto exchange = grid.exchange(operation);
        for (Form form : forms)
            BOOST_TEST(run_once(exchange, form, grid.cart) == "", name_of(operation)
                                                                      << ", " << name_of(form));
    }
}

BOOST_AUTO_TEST_SUITE_END()
