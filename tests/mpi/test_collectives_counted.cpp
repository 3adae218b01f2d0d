// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// environment: CARPOOL_TRANSPORT=mpi CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (the counts are those of one node)
//
// Counts the messages of a start, and checks that it creates, allocates and keeps nothing.

#include <boost/test/unit_test.hpp>

#include "collective_trial.hpp"
#include "count_allocations.hpp"
#include "count_messages.hpp"
#include "plain_collectives.hpp"
#include "resident_memory.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <chrono>

namespace {

using namespace carpool::tests;
namespace collectives = carpool::collectives;

constexpr int ints = 48;  // enough for every algorithm that splits blocks

/// Calls of MPI and allocations in one start and wait.
struct Cost {
    Tally tally;
    long allocations;
};

Cost cost_of_start(Carpool_Request& request, int way) {
    MPI_Barrier(MPI_COMM_WORLD);
    tally = {};
    const long before = allocations;
    started_and_completed(request, way);
    return {tally, allocations - before};
}

Carpool_Plan plan_of(Carpool_Request request) {
    Carpool_Plan plan{};
    Carpool_Request_get_plan(request, &plan);
    return plan;
}

long sum_over_ranks(long number) {
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return number;
}

/// Calls body(scenario, algorithm) for all algorithms that apply.
template <class Body>
void for_all_algorithms(Body body) {
    const PlainCollectives plain;
    for (const auto what : all_collectives) {
        const auto scenario = plain.scenario(what, MPI_COMM_WORLD, world_size() - 1, ints);
        for (const auto& algorithm : algorithms_of(what))
            if (applies(algorithm, scenario, world_size())) {
                doing(scenario.text + ", " + algorithm);
                BOOST_TEST_CONTEXT(scenario.text << ", " << algorithm) body(scenario, algorithm);
            }
    }
}

/// The problem that the registry plans for the calls of for_all_algorithms.
collectives::Problem planned_problem(const Scenario& scenario) {
    auto problem = problem_of(scenario, world_size());
    if (problem.kind != collectives::Kind::barrier) problem.bytes = {ints * sizeof(int)};
    problem.unit = sizeof(int);
    problem.segment = 40;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_collectives_counted)

BOOST_AUTO_TEST_CASE(a_start_sends_the_messages_that_the_plan_and_the_algorithm_say) {
    for_all_algorithms([](const Scenario& scenario, const std::string& algorithm) {
        CollectiveJob job(scenario);
        Manner manner{algorithm};
        manner.segment = "40";
        for (const auto* requests : {"persistent", "immediate"}) {
            manner.requests = requests;
            const auto info = manner.info();
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            job.init({Init::narrow, MPI_COMM_WORLD, info}, &request);
            const int messages = cost_of_start(request, 0).tally.messages;
            BOOST_TEST(messages == plan_of(request).messages);
            const auto problem = planned_problem(scenario);
            const auto* known = collectives::find_algorithm(problem.kind, algorithm);
            if (known) BOOST_TEST(sum_over_ranks(messages) == known->messages(problem));
            Carpool_Request_free(&request);
        }
    });
}

BOOST_AUTO_TEST_CASE(a_start_makes_no_type_no_request_no_agreement_and_allocates_nothing) {
    int way = 0;
    for_all_algorithms([&](const Scenario& scenario, const std::string& algorithm) {
        CollectiveJob job(scenario);
        for (const auto* transfer : {"pack", "types"})
            for (const auto* requests : {"persistent", "immediate"})
                for (const auto form : {Init::narrow, Init::narrow_at_once}) {
                    const Manner manner{algorithm, form, transfer, requests, "40"};
                    const auto info = manner.info();
                    Carpool_Request request = CARPOOL_REQUEST_NULL;
                    job.init({form, MPI_COMM_WORLD, info}, &request);
                    if (is_at_once(form)) started_and_completed(request);  // plans the request
                    for (int start = 0; start < 3; ++start) {
                        const auto cost = cost_of_start(request, way++);
                        BOOST_TEST(cost.allocations == 0, manner.text() << ", start " << start);
                        BOOST_TEST(cost.tally.types_created == 0, manner.text());
                        BOOST_TEST(cost.tally.created == 0, manner.text());
                        BOOST_TEST(cost.tally.collectives == 0, manner.text());
                    }
                    Carpool_Request_free(&request);
                }
    });
}

BOOST_AUTO_TEST_CASE(a_first_start_allocates_nothing_if_it_is_planned) {
    for_all_algorithms([](const Scenario& scenario, const std::string& algorithm) {
        CollectiveJob job(scenario);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto info = Manner{algorithm}.info();
        job.init({Init::narrow, MPI_COMM_WORLD, info}, &request);
        BOOST_TEST(cost_of_start(request, 0).allocations == 0);
        Carpool_Request_free(&request);
    });
}

/// Checks that memory does not grow in up to `rounds` rounds, or for 10 seconds.
template <class Round>
void expect_flat(int rounds, int warm, std::int64_t slack, Round round) {
    using Clock = std::chrono::steady_clock;
    const auto limit = Clock::now() + std::chrono::seconds(10);
    std::int64_t before = 0;
    for (int i = 0; i < rounds; ++i) {
        if (i == warm) before = resident_bytes();
        round(i);
        if (i % 500 == 499 && anywhere(Clock::now() > limit)) rounds = i;
    }
    if (before > 0) BOOST_TEST(resident_bytes() - before < slack, "after " << rounds << " rounds");
}

BOOST_AUTO_TEST_CASE(memory_does_not_grow_with_starts) {
    if (world_size() > 2) return;
    int one = 1, sum = 0;
    Carpool_Request requests[2];
    Carpool_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[0]);
    Carpool_Ibarrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    expect_flat(100000, 1000, 300000, [&](int i) {
        Carpool_Start(&requests[i % 2]);
        Carpool_Wait(&requests[i % 2], MPI_STATUS_IGNORE);
    });
    BOOST_TEST(sum == world_size());
    for (auto& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(memory_does_not_grow_with_inits) {
    if (world_size() > 2) return;
    const PlainCollectives plain;
    std::vector<CollectiveJob> jobs;
    for (const auto what : all_collectives) jobs.emplace_back(plain.scenario(what, MPI_COMM_WORLD));
    expect_flat(8000, 2000, 1000000, [&](int i) {
        auto& job = jobs[static_cast<std::size_t>(i) % jobs.size()];
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        job.init({inits[i / 17 % 4], MPI_COMM_WORLD}, &request);
        if (i % 3 != 0) started_and_completed(request);
        Carpool_Request_free(&request);
    });
}

BOOST_AUTO_TEST_SUITE_END()
