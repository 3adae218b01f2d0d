// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4 7
// sanitize-ranks: none
//
// All collectives at once on one communicator: started and completed in any order, which differs
// from rank to rank, by each of the functions that complete requests.

#include <boost/test/unit_test.hpp>

#include "requests_of_all_collectives.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <chrono>
#include <functional>

BOOST_AUTO_TEST_SUITE(test_collectives_order)

namespace {

using namespace carpool::tests;

/// Completes the requests of all collectives, which are active.
using Completion = std::function<void(RequestsOfAllCollectives&, std::mt19937&)>;

void by_wait(RequestsOfAllCollectives& all, std::mt19937& rng) {
    for (const auto i : all.shuffled(rng))
        BOOST_TEST(Carpool_Wait(&all.requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

void by_test(RequestsOfAllCollectives& all, std::mt19937& rng) {
    auto left = all.shuffled(rng);
    while (!left.empty())
        std::erase_if(left, [&](std::size_t i) {
            int flag = 0;
            BOOST_TEST(Carpool_Test(&all.requests[i], &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
            return flag;
        });
}

void by_waitall(RequestsOfAllCollectives& all, std::mt19937&) {
    BOOST_TEST(Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE) ==
               MPI_SUCCESS);
}

void by_testall(RequestsOfAllCollectives& all, std::mt19937&) {
    for (int flag = 0; !flag;)
        BOOST_TEST(Carpool_Testall(all.size(), all.requests.data(), &flag, MPI_STATUSES_IGNORE) ==
                   MPI_SUCCESS);
}

/// Checks that each request is reported as completed once, and that none is left.
void expect_each_once(std::vector<int> indices, int last) {
    std::sort(indices.begin(), indices.end());
    for (int i = 0; i < static_cast<int>(indices.size()); ++i)
        BOOST_TEST(indices[static_cast<std::size_t>(i)] == i);
    BOOST_TEST(last == MPI_UNDEFINED);
}

void by_waitany(RequestsOfAllCollectives& all, std::mt19937&) {
    std::vector<int> indices;
    int index = 0;
    for (int i = 0; i < all.size(); ++i) {
        Carpool_Waitany(all.size(), all.requests.data(), &index, MPI_STATUS_IGNORE);
        indices.push_back(index);
    }
    Carpool_Waitany(all.size(), all.requests.data(), &index, MPI_STATUS_IGNORE);
    expect_each_once(indices, index);
}

void by_testany(RequestsOfAllCollectives& all, std::mt19937&) {
    std::vector<int> indices;
    int index = 0;
    for (int flag = 0; static_cast<int>(indices.size()) < all.size(); flag = 0) {
        Carpool_Testany(all.size(), all.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
        if (flag) indices.push_back(index);
    }
    int flag = 0;
    Carpool_Testany(all.size(), all.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    expect_each_once(indices, flag ? index : 0);
}

/// Completes all requests by Waitsome or Testsome.
template <int some(int, Carpool_Request*, int*, int*, MPI_Status*)>
void by_some(RequestsOfAllCollectives& all, std::mt19937&) {
    std::vector<int> indices, found(all.requests.size());
    int outcount = 0;
    while (indices.size() < all.requests.size()) {
        BOOST_TEST(some(all.size(), all.requests.data(), &outcount, found.data(),
                        MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        indices.insert(indices.end(), found.begin(), found.begin() + outcount);
    }
    some(all.size(), all.requests.data(), &outcount, found.data(), MPI_STATUSES_IGNORE);
    expect_each_once(indices, outcount);
}

const Completion completions[] = {by_wait,
                                  by_test,
                                  by_waitall,
                                  by_testall,
                                  by_waitany,
                                  by_testany,
                                  by_some<Carpool_Waitsome>,
                                  by_some<Carpool_Testsome>};

}  // namespace

BOOST_AUTO_TEST_CASE(each_rank_may_start_and_complete_in_an_order_of_its_own) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    for (int round = 0; round < 3; ++round) {
        RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared);
        for (int start = 0; start < 6; ++start) {
            BOOST_TEST(all.run(start, own) == "", "start " << start);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_completion_function_completes_every_collective) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared);
    for (std::size_t start = 0; start < 2 * std::size(completions); ++start) {
        const bool alike = start < std::size(completions);
        all.prepare(static_cast<int>(start));
        all.start_shuffled(own);
        completions[(alike ? start : own()) % std::size(completions)](all, own);
        BOOST_TEST(all.fault() == "", "start " << start);
    }
}

BOOST_AUTO_TEST_CASE(startall_starts_all_collectives) {
    auto shared = seeded();
    auto own = own_generator(shared);
    const RandomCollectives samples;
    RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared);
    for (int start = 0; start < 4; ++start) {
        all.prepare(start);
        BOOST_TEST(Carpool_Startall(all.size(), all.requests.data()) == MPI_SUCCESS);
        by_wait(all, own);
        BOOST_TEST(all.fault() == "", "start " << start);
    }
}

BOOST_AUTO_TEST_CASE(some_requests_are_started_while_others_are_inactive) {
    auto shared = seeded();
    const RandomCollectives samples;
    RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared);
    for (std::size_t start = 0; start < 8; ++start) {
        all.prepare(static_cast<int>(start));
        for (std::size_t i = start % 4; i < all.requests.size(); i += 4)
            Carpool_Start(&all.requests[i]);
        Carpool_Waitall(all.size(), all.requests.data(), MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i < all.requests.size(); ++i) {
            const bool started = i % 4 == start % 4;
            BOOST_TEST((started ? all.collectives[i].fault() : all.collectives[i].effect()) == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_request_may_be_started_again_while_slower_ranks_are_behind) {
    auto shared = seeded();
    const RandomCollectives samples;
    RequestsOfAllCollectives all(samples, MPI_COMM_WORLD, shared);
    for (std::size_t i = 0; i < all.requests.size(); ++i)
        for (int start = 0; start < 10; ++start) {
            all.collectives[i].prepare(start);
            if (world_rank() == start % world_size()) usleep(500);
            BOOST_TEST(started_and_completed(all.requests[i], start) == MPI_SUCCESS);
            BOOST_TEST(all.collectives[i].fault() == "");
        }
}

BOOST_AUTO_TEST_CASE(no_rank_leaves_a_barrier_before_all_have_entered) {
    using Clock = std::chrono::steady_clock;  // the same clock for all processes of a node
    const auto now = [] { return Clock::now().time_since_epoch().count(); };
    for (const auto& algorithm : algorithms_of(Collective::barrier))
        for (const auto form : inits) {
            const auto info = CollectiveVariant{algorithm}.info();
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            init({Collective::barrier}, {form, MPI_COMM_WORLD, info}, &request);
            for (int start = 0; start < 4; ++start) {
                if (start % world_size() == world_rank()) usleep(3000);
                long long came = now(), last = 0;
                started_and_completed(request, start);
                const long long left = now();
                MPI_Allreduce(&came, &last, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
                BOOST_TEST(left >= last, algorithm);
            }
            Carpool_Request_free(&request);
        }
}

BOOST_AUTO_TEST_SUITE_END()
