// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7
// sanitize-ranks: 3
//
// Inits that return at once: their requests are started before they are planned, later, or never.

#include <boost/test/unit_test.hpp>

#include "requests_of_all_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_background_inits_of_collectives)

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
        : case_(summing({Collective::allreduce,
                         size_of(comm),
                         0,
                         false,
                         false,
                         5,
                         {"int, sum", MPI_INT, MPI_SUM, true, write_value<int>},
                         3},
                        rank_in(comm))),
          collective_(case_) {
        BOOST_TEST(collective_.init({Init::narrow_at_once, comm}, &request) == MPI_SUCCESS);
    }

    void run(int start) {
        collective_.prepare(start);
        BOOST_TEST(started_and_completed(request, start) == MPI_SUCCESS);
        BOOST_TEST(collective_.fault() == "");
    }

    Carpool_Request request = CARPOOL_REQUEST_NULL;

private:
    CollectiveCase case_;
    CheckedCollective collective_;
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

BOOST_AUTO_TEST_CASE(requests_may_be_started_before_they_are_planned) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    for (int round = 0; round < 4; ++round) {
        const auto comm = duplicate();  // no channel exists yet
        RequestsOfAllCollectives all(samples, comm, shared, at_once);
        for (int start = 0; start < 3; ++start) {
            BOOST_TEST(all.run(start, own) == "", "start " << start);
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_may_work_between_init_and_start) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared, at_once);
    usleep(static_cast<unsigned>(own() % 5000));
    all.prepare(0);
    all.start_shuffled(own);
    usleep(static_cast<unsigned>(own() % 5000));
    BOOST_TEST(Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE) ==
               MPI_SUCCESS);
    BOOST_TEST(all.fault() == "");
}

BOOST_AUTO_TEST_CASE(a_background_init_is_local) {
    const auto comm = duplicate_with_channel();
    come_after_rank_0();
    Sum sum(comm);
    let_others_come();
    for (int start = 0; start < 3; ++start) sum.run(start);
    Carpool_Request_free(&sum.request);
}

BOOST_AUTO_TEST_CASE(the_plan_is_empty_until_the_first_start_is_complete) {
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
    const RandomCollectives samples;
    for (int round = 0; round < 10; ++round) {
        Sum used(MPI_COMM_WORLD);
        RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared, at_once);
        Sum never(MPI_COMM_WORLD);
        const bool early = own() % 2 == 0;
        if (early) BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        used.run(round);
        call_users_collectives(MPI_COMM_WORLD, round);
        if (!early) BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        Carpool_Request_free(&used.request);
    }  // destroys the requests, which were never started
}

BOOST_AUTO_TEST_CASE(a_request_freed_before_it_is_planned_releases_its_communicator) {
    for (int round = 0; round < 50; ++round) {
        const auto comm = duplicate();
        Sum never(comm);
        BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
        if (round % 2 == 0) MPI_Barrier(comm);
    }
}

BOOST_AUTO_TEST_CASE(collectives_may_be_called_between_inits_starts_and_completions) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    const auto comm = duplicate();
    int round = 0;
    std::deque<Sum> sums;
    for (int i = 0; i < 5; ++i) {
        sums.emplace_back(comm);
        call_users_collectives(comm, round++);
    }
    RequestsOfAllCollectives all(samples, comm, shared);  // some inits return at once
    call_users_collectives(comm, round++);
    for (int start = 0; start < 3; ++start) {
        all.prepare(start);
        all.start_shuffled(own);
        for (auto& sum : sums) sum.run(start);
        BOOST_TEST(Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE) ==
                   MPI_SUCCESS);
        call_users_collectives(comm, round++);
        BOOST_TEST(all.fault() == "");
    }
    for (auto& sum : sums) Carpool_Request_free(&sum.request);
}

BOOST_AUTO_TEST_SUITE_END()
