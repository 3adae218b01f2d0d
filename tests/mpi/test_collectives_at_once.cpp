// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7
// sanitize-ranks: 3
//
// Inits that return at once: their requests are started before they are planned, later, or never.

#include <boost/test/unit_test.hpp>

#include "collective_crowd.hpp"
#include "seed.hpp"
#include "world.hpp"

namespace {

using namespace carpool::tests;

const std::vector<Init> at_once{Init::narrow_at_once, Init::large_at_once};

Comm duplicate(MPI_Comm comm = MPI_COMM_WORLD) {
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    return Comm(copy);
}

/// A request for the sum of all ranks' numbers, with other numbers at each start.
class Sum {
public:
    explicit Sum(MPI_Comm comm)
        : scenario_(summing({Collective::allreduce,
                             size_of(comm),
                             0,
                             false,
                             false,
                             5,
                             {"int, sum", MPI_INT, MPI_SUM, true, write_value<int>},
                             3},
                            rank_in(comm))),
          job_(scenario_) {
        BOOST_TEST(job_.init({Init::narrow_at_once, comm}, &request) == MPI_SUCCESS);
    }

    void run(int start) {
        job_.prepare(start);
        BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS);
        BOOST_TEST(job_.fault() == "");
    }

    Carpool_Request request = CARPOOL_REQUEST_NULL;

private:
    Scenario scenario_;
    CollectiveJob job_;
};

/// The first init on a communicator may wait. This one has had its first init.
Comm duplicate_with_channel() {
    auto comm = duplicate();
    Sum first(comm);
    first.run(0);
    Carpool_Request_free(&first.request);
    return comm;
}

/// All other ranks wait until rank 0 lets them continue.
void come_after_rank_0() {
    int word = 0;
    if (world_rank() > 0) MPI_Recv(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void let_others_come() {
    for (int rank = 1; rank < world_size() && world_rank() == 0; ++rank)
        MPI_Send(&rank, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
}

/// The user's own collectives, whose results are checked.
void call_users_collectives(MPI_Comm comm, int round) {
    const int ranks = size_of(comm), root = round % ranks;
    int sum = rank_in(comm), word = rank_in(comm) == root ? 1000 + round : -1;
    MPI_Request request;
    MPI_Ibcast(&word, 1, MPI_INT, root, comm, &request);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    BOOST_TEST(sum == ranks * (ranks - 1) / 2);
    BOOST_TEST(word == 1000 + round);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_collectives_at_once)

BOOST_AUTO_TEST_CASE(all_may_be_started_before_any_is_planned) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const CollectiveSamples samples;
    for (int round = 0; round < 4; ++round) {
        const auto comm = duplicate();  // no channel exists yet
        CollectiveCrowd crowd(samples, comm, shared, at_once);
        for (int start = 0; start < 3; ++start) {
            BOOST_TEST(crowd.run(start, own) == "", "start " << start);
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_may_work_between_init_and_start) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const CollectiveSamples samples;
    CollectiveCrowd crowd(samples, MPI_COMM_WORLD, shared, at_once);
    usleep(static_cast<unsigned>(own() % 5000));
    crowd.prepare(0);
    crowd.start_shuffled(own);
    usleep(static_cast<unsigned>(own() % 5000));
    BOOST_TEST(Carpool_Waitall(crowd.size(), crowd.requests.data(), MPI_STATUSES_IGNORE) ==
               MPI_SUCCESS);
    BOOST_TEST(crowd.fault() == "");
}

BOOST_AUTO_TEST_CASE(an_init_does_not_wait_for_ranks_that_come_later) {
    const auto comm = duplicate_with_channel();
    come_after_rank_0();
    Sum sum(comm);
    let_others_come();
    for (int start = 0; start < 3; ++start) sum.run(start);
    Carpool_Request_free(&sum.request);
}

BOOST_AUTO_TEST_CASE(the_plan_is_empty_at_first_and_there_after_the_first_start) {
    const auto comm = duplicate_with_channel();
    Carpool_Plan plan{};
    come_after_rank_0();
    Sum sum(comm);
    BOOST_TEST(Carpool_Request_get_plan(sum.request, &plan) == MPI_SUCCESS);
    if (world_rank() == 0 && world_size() > 1) BOOST_TEST(std::string(plan.algorithm) == "");
    let_others_come();
    sum.run(0);
    Carpool_Request_get_plan(sum.request, &plan);
    BOOST_TEST(std::string(plan.algorithm) != "");
    Carpool_Request_free(&sum.request);
}

BOOST_AUTO_TEST_CASE(a_request_may_be_freed_before_it_is_planned) {
    for (int round = 0; round < 20; ++round) {
        Sum never(MPI_COMM_WORLD), used(MPI_COMM_WORLD);
        BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        BOOST_TEST(never.request == CARPOOL_REQUEST_NULL);
        used.run(round);
        BOOST_TEST(Carpool_Request_free(&used.request) == MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_CASE(some_ranks_may_free_at_once_and_others_later) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const CollectiveSamples samples;
    for (int round = 0; round < 10; ++round) {
        Sum used(MPI_COMM_WORLD);
        CollectiveCrowd crowd(samples, MPI_COMM_WORLD, shared, at_once);
        Sum never(MPI_COMM_WORLD);
        const bool early = own() % 2 == 0;
        if (early) BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        used.run(round);
        call_users_collectives(MPI_COMM_WORLD, round);
        if (!early) BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        Carpool_Request_free(&used.request);
    }  // destroys the crowd, which was never started
}

BOOST_AUTO_TEST_CASE(what_was_freed_unplanned_does_not_keep_its_communicator) {
    for (int round = 0; round < 50; ++round) {
        const auto comm = duplicate();
        Sum never(comm);
        BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        if (round % 2 == 0) MPI_Barrier(comm);
    }
}

BOOST_AUTO_TEST_CASE(collectives_of_the_users_may_come_between_inits_starts_and_completions) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const CollectiveSamples samples;
    const auto comm = duplicate();
    int round = 0;
    std::deque<Sum> sums;
    for (int i = 0; i < 5; ++i) {
        sums.emplace_back(comm);
        call_users_collectives(comm, round++);
    }
    CollectiveCrowd crowd(samples, comm, shared);  // some inits return at once
    call_users_collectives(comm, round++);
    for (int start = 0; start < 3; ++start) {
        crowd.prepare(start);
        crowd.start_shuffled(own);
        for (auto& sum : sums) sum.run(start);
        BOOST_TEST(Carpool_Waitall(crowd.size(), crowd.requests.data(), MPI_STATUSES_IGNORE) ==
                   MPI_SUCCESS);
        call_users_collectives(comm, round++);
        BOOST_TEST(crowd.fault() == "");
    }
    for (auto& sum : sums) Carpool_Request_free(&sum.request);
}

BOOST_AUTO_TEST_SUITE_END()
