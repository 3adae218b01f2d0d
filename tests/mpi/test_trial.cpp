// ranks: 2 5 8
// program: own
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 5
//
// Requests that try candidates while they work: every start delivers, and all ranks leave what is
// slow at the same start.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "slow_messages.hpp"
#include "stage.hpp"
#include "world.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace carpool::tests;

/// Of three candidates, of which two race on twice.
constexpr int starts_of_a_trial = 3 * 8 + 2 * 2 * 5;

/// What the request says after each start: by which algorithm it goes from then on.
std::vector<std::string> algorithms(Job& job, Carpool_Request& request, int starts) {
    std::vector<std::string> result;
    for (int start = 0; start < starts; ++start) {
        job.prepare(start % 3);
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        const auto fault = job.fault();
        BOOST_TEST(fault == "", "start " << start << ": " << fault);
        result.push_back(algorithm_of(request));
    }
    return result;
}

bool alike_on_all_ranks(const std::vector<std::string>& texts) {
    std::size_t digest = 0;
    for (const auto& text : texts) digest = 31 * digest + std::hash<std::string>()(text);
    return same_everywhere(static_cast<int>(digest % 1000003));
}

BOOST_AUTO_TEST_SUITE(test_trial)

BOOST_AUTO_TEST_CASE(all_ranks_leave_what_is_slow_at_the_same_start) {
    if (world_size() < 8) return;
    const Stage stage(torus_of(1), moore(1, 3));
    auto job = stage.job(Operation::alltoall);
    const auto info = measuring("1e-6", "0", "4e-6");
    auto request = init(job, stage.cart, info);
    BOOST_TEST(algorithm_of(request) == "direct");  // 10 us, where others take 12
    delay = std::chrono::milliseconds(6);
    const auto gone_by = algorithms(job, request, starts_of_a_trial + 4);
    delay = {};
    BOOST_TEST(gone_by.front() == "direct");
    BOOST_TEST(gone_by.back() != "direct");
    BOOST_TEST(alike_on_all_ranks(gone_by));
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(each_start_of_any_operation_delivers) {
    for (const auto operation :
         {Operation::alltoall, Operation::allgather, Operation::alltoallw, Operation::allgatherv}) {
        const Stage stage(mesh_of(2), moore(2, 1));
        auto job = stage.job(operation);
        const auto info = measuring();
        auto request = init(job, stage.cart, info);
        BOOST_TEST(alike_on_all_ranks(algorithms(job, request, starts_of_a_trial + 8)));
        Carpool_Request_free(&request);
    }
}

/// The next trial comes after 1000 starts, the one after it after 2000.
BOOST_AUTO_TEST_CASE(thousands_of_starts_are_tried_again_and_deliver) {
    const Stage stage(torus_of(1), moore(1, 3));
    auto job = stage.job(Operation::alltoall);
    const auto info = measuring();
    auto request = init(job, stage.cart, info);
    BOOST_TEST(alike_on_all_ranks(algorithms(job, request, world_size() > 2 ? 40 : 3200)));
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_start_after_the_trial_allocates_nothing) {
    const Stage stage(torus_of(1), moore(1, 2));
    auto job = stage.job(Operation::alltoall);
    const auto info = measuring();
    auto request = init(job, stage.cart, info);
    algorithms(job, request, starts_of_a_trial + 4);
    for (int start = 0; start < 8; ++start) {
        job.prepare(start);
        allocations = 0;
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        const long allocated = allocations;
        BOOST_TEST(allocated == 0);
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(two_requests_may_be_under_way_and_be_started_in_any_order) {
    const Stage stage(torus_of(1), moore(1, 2));
    auto one = stage.job(Operation::alltoall);
    auto other = stage.job(Operation::allgather);
    const auto info = measuring();
    Carpool_Request requests[] = {init(one, stage.cart, info), init(other, stage.cart, info)};
    for (int start = 0; start < starts_of_a_trial + 8; ++start) {
        one.prepare(0);
        other.prepare(1);
        const int first = world_rank() % 2;
        Carpool_Start(&requests[first]);
        Carpool_Start(&requests[1 - first]);
        BOOST_TEST(Carpool_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(one.fault() == "");
        BOOST_TEST(other.fault() == "");
    }
    for (auto& request : requests) Carpool_Request_free(&request);
}

/// Which way the request of an allreduce goes at first and after its trial, if there is one.
std::pair<std::string, std::string> ways_of_sums(MPI_Info info) {
    double mine = world_rank() + 1;
    double sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    Carpool_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, info, &request);
    const auto first = algorithm_of(request);
    for (int start = 0; start < starts_of_a_trial + 4; ++start) {
        sum = 0;
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(sum == world_size() * (world_size() + 1) / 2);
    }
    const auto last = algorithm_of(request);
    Carpool_Request_free(&request);
    return {first, last};
}

/// Many messages at once are the fastest by these costs, and the slowest in truth.
BOOST_AUTO_TEST_CASE(sums_are_tried_only_where_measure_is_given) {
    if (world_size() < 8) return;
    const auto tried = measuring("1e-6", "0", "4e-6");
    const auto untried =
        info_of({{"carpool_alpha", "1e-6"}, {"carpool_beta", "0"}, {"carpool_sigma", "4e-6"}});
    delay = std::chrono::milliseconds(6);
    const auto with = ways_of_sums(tried);
    const auto without = ways_of_sums(untried);
    const auto by_default = ways_of_sums(MPI_INFO_NULL);
    delay = {};
    BOOST_TEST(with.first != with.second);
    BOOST_TEST(without.first == with.first);
    BOOST_TEST(without.second == with.first);
    BOOST_TEST(by_default.first == by_default.second);
}

BOOST_AUTO_TEST_CASE(a_choice_that_is_none_or_differs_is_refused) {
    const Stage stage(torus_of(1), moore(1, 1));
    MPI_Comm_set_errhandler(stage.cart, MPI_ERRORS_RETURN);
    auto job = stage.job(Operation::alltoall);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto unknown = info_of({{"carpool_choice", "guess"}});
    BOOST_TEST(job.post({Form::persistent, stage.cart, unknown, &request}) != MPI_SUCCESS);
    const auto differs = info_of({{"carpool_choice", world_rank() == 0 ? "measure" : "model"}});
    BOOST_TEST(job.post({Form::persistent, stage.cart, differs, &request}) != MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
