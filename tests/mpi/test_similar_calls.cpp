// ranks: 2 3 5 8
// program: own
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 3
//
// Blocking calls with the same arguments on all ranks: all ranks measure together in one of the
// calls, drop slow candidates at the same call, and every call delivers.

#include <boost/test/unit_test.hpp>

#include "count_allocations.hpp"
#include "environment.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "slow_messages.hpp"
#include "stage.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

/// The call in which all ranks measure.
constexpr int meeting = 32;

std::string algorithm_of_call(MPI_Comm comm, const char* operation) {
    Carpool_Plan plan{};
    BOOST_TEST(Carpool_Comm_get_plan(comm, operation, &plan) == MPI_SUCCESS);
    return plan.algorithm;
}

bool alike_on_all_ranks(const std::vector<std::string>& texts) {
    std::size_t digest = 0;
    for (const auto& text : texts) digest = 31 * digest + std::hash<std::string>()(text);
    return same_everywhere(static_cast<int>(digest % 1000003));
}

/// Calls a job, and returns the algorithm of the latest plan.
std::string called(Job& job, MPI_Comm comm, const char* operation, int round) {
    job.prepare(round % 3);
    BOOST_TEST(job.post({Form::blocking, comm, MPI_INFO_NULL}) == MPI_SUCCESS);
    const auto fault = job.fault();
    BOOST_TEST(fault == "", operation << ", call " << round << ": " << fault);
    return algorithm_of_call(comm, operation);
}

BOOST_AUTO_TEST_SUITE(test_similar_calls)

BOOST_AUTO_TEST_CASE(all_ranks_leave_what_is_slow_at_the_same_call) {
    if (world_size() < 8) return;
    const auto info = measuring("1e-6", "0", "4e-6");
    const Stage stage(torus_of(1), moore(1, 3), info);
    auto job = stage.job(Operation::alltoall);
    const SlowMessages slow;
    std::vector<std::string> gone_by;
    for (int call = 0; call < 2 * meeting; ++call)
        gone_by.push_back(called(job, stage.cart, "neighbor_alltoall", call));
    BOOST_TEST(gone_by[meeting - 2] == "direct");
    BOOST_TEST(gone_by[meeting - 1] != "direct");
    BOOST_TEST(gone_by.back() == gone_by[meeting - 1]);
    BOOST_TEST(alike_on_all_ranks(gone_by));
}

/// Sizes and operations are measured separately.
BOOST_AUTO_TEST_CASE(each_call_of_several_kinds_on_several_communicators_delivers) {
    const auto info = measuring();
    std::vector<Stage> stages;
    stages.emplace_back(torus_of(1), moore(1, 3), info);
    stages.emplace_back(torus_of(2), moore(2, 1), info);
    std::vector<Job> jobs;
    for (const auto& stage : stages)
        for (const auto operation : {Operation::alltoall, Operation::allgather})
            jobs.push_back(stage.job(operation));
    auto rng = seeded();
    for (int call = 0; call < 20 * meeting; ++call) {
        const auto which = rng() % jobs.size();
        const auto* const name = which % 2 == 0 ? "neighbor_alltoall" : "neighbor_allgather";
        called(jobs[which], stages[which / 2].cart, name, call);
    }
}

/// Some ranks find each call among their recent ones, others do not.
BOOST_AUTO_TEST_CASE(ranks_may_have_other_buffers_at_each_call) {
    const Environment measured("CARPOOL_CHOICE", "measure");
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> sent(2 * ranks + 64), received(2 * ranks + 64);
    for (int call = 0; call < 12 * meeting; ++call) {
        const auto at = static_cast<std::size_t>(world_rank() % 2 == 0 ? 0 : call % 64);
        const int count = call % 3 == 0 ? 2 : 1;
        const auto all = static_cast<std::size_t>(count) * ranks;
        for (std::size_t i = 0; i < all; ++i)
            sent[at + i] = 1000 * call + 10 * world_rank() + static_cast<int>(i) / count;
        BOOST_TEST(Carpool_Alltoall(&sent[at], count, MPI_INT, &received[at], count, MPI_INT,
                                    comm) == MPI_SUCCESS);
        for (std::size_t i = 0; i < all; ++i)
            BOOST_TEST(received[at + i] ==
                       1000 * call + 10 * (static_cast<int>(i) / count) + world_rank());
    }
}

/// Nonblocking calls use the choice that ranks have made by then, and do not count for
/// measurements.
BOOST_AUTO_TEST_CASE(nonblocking_calls_between_deliver) {
    const auto info = measuring("1e-6", "0", "4e-6");
    const Stage stage(torus_of(1), moore(1, 2), info);
    auto job = stage.job(Operation::alltoall);
    auto other = stage.job(Operation::alltoall);
    for (int call = 0; call < 3 * meeting; ++call) {
        MPI_Request request = MPI_REQUEST_NULL;
        other.prepare(call % 2);
        BOOST_TEST(other.post({Form::nonblocking, stage.cart, MPI_INFO_NULL, nullptr, &request}) ==
                   MPI_SUCCESS);
        called(job, stage.cart, "neighbor_alltoall", call);
        BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(other.fault() == "");
    }
}

BOOST_AUTO_TEST_CASE(calls_behind_the_meeting_allocate_nothing) {
    const auto info = measuring();
    const Stage stage(torus_of(1), moore(1, 3), info);
    const auto blocks = stage.neighbors.targets.size();
    const std::vector<int> sent(blocks, world_rank());
    std::vector<int> received(blocks);
    long allocated_later = 0;
    for (int call = 0; call < 3 * meeting; ++call) {
        received.assign(blocks, -1);
        allocations = 0;
        Carpool_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, stage.cart);
        const long allocated = allocations;
        BOOST_TEST(received == stage.neighbors.sources);
        if (call > meeting + 2) allocated_later += allocated;
    }
    BOOST_TEST(allocated_later == 0);
}

/// More sizes than are counted at a time, each of them in many calls or in few.
BOOST_AUTO_TEST_CASE(calls_of_very_many_sizes_deliver) {
    const Environment measured("CARPOOL_CHOICE", "auto");
    const auto comm = duplicate_of_world();
    std::vector<char> buffer(8000);
    auto rng = seeded();
    for (int call = 0; call < 1800; ++call) {
        const int bytes = call % 8 == 0 ? 8 + call % 16 / 8 : 1 + static_cast<int>(rng() % 7999);
        const auto letter = static_cast<char>(call);
        if (world_rank() == 0) std::fill_n(buffer.begin(), bytes, letter);
        Carpool_Bcast(buffer.data(), bytes, MPI_BYTE, 0, comm);
        BOOST_TEST_REQUIRE(std::count(buffer.begin(), buffer.begin() + bytes, letter) == bytes);
    }
}

BOOST_AUTO_TEST_CASE(calls_go_by_the_model_where_costs_are_given_and_nothing_else) {
    if (world_size() < 8) return;
    const auto info =
        info_of({{"carpool_alpha", "1e-6"}, {"carpool_beta", "0"}, {"carpool_sigma", "4e-6"}});
    const Stage stage(torus_of(1), moore(1, 3), info);
    auto job = stage.job(Operation::alltoall);
    const SlowMessages slow;
    for (int call = 0; call < 2 * meeting; ++call)
        BOOST_TEST(called(job, stage.cart, "neighbor_alltoall", call) == "direct");
}

std::vector<double> sums_of_a_run() {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    std::vector<double> sums;
    const double mine = 1.0 / (3 + 7 * world_rank());
    for (int call = 0; call < 2 * meeting; ++call) {
        double sum = 0;
        Carpool_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        sums.push_back(sum);
    }
    return sums;
}

BOOST_AUTO_TEST_CASE(sums_of_floating_point_numbers_have_the_same_bits_in_each_call) {
    const auto sums = sums_of_a_run();
    for (const auto sum : sums) BOOST_TEST(std::memcmp(&sum, &sums.front(), sizeof sum) == 0);
    BOOST_TEST(sums_of_a_run() == sums);
}

/// In the measuring call all ranks vote on the size of the call.
BOOST_AUTO_TEST_CASE(another_size_in_the_meeting_is_told_to_all) {
    const Stage stage(torus_of(1), moore(1, 1), measuring());
    MPI_Comm_set_errhandler(stage.cart, MPI_ERRORS_RETURN);
    const auto blocks = stage.neighbors.targets.size();
    std::vector<int> sent(2 * blocks, world_rank()), received(2 * blocks, -1);
    const auto alltoall = [&](int count) {
        return Carpool_Neighbor_alltoall(sent.data(), count, MPI_INT, received.data(), count,
                                         MPI_INT, stage.cart);
    };
    const bool wrong = world_rank() == world_size() - 1;
    for (int call = 1; call < meeting; ++call)
        for (const int count : {1, 2}) BOOST_TEST(alltoall(count) == MPI_SUCCESS);
    BOOST_TEST(text_of(alltoall(wrong ? 2 : 1)).find("with other sizes of blocks") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
