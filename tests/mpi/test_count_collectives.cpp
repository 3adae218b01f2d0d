// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// environment: CARPOOL_TRANSPORT=mpi CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (the counts are those of one node)
//
// Counts the messages of a start, and checks that it creates, allocates and keeps nothing.

#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "count_allocations.hpp"
#include "count_calls.hpp"
#include "current_step.hpp"
#include "plain_collectives.hpp"
#include "resident_memory.hpp"
#include "world.hpp"

#include <chrono>

namespace {

using namespace carpool::tests;
namespace collectives = carpool::collectives;

constexpr int ints = 48;  // enough for every algorithm that splits blocks

/// Calls of MPI and allocations in one start and wait.
struct Cost {
    CallCounts call_counts;
    long allocations;
};

Cost cost_of_start(Carpool_Request& request, int way) {
    MPI_Barrier(MPI_COMM_WORLD);
    call_counts = {};
    const long before = allocations;
    started_and_completed(request, way);
    return {call_counts, allocations - before};
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

/// Calls body(case, algorithm) for all algorithms that apply.
template <class Body>
void for_all_algorithms(Body body) {
    const PlainCollectives plain;
    for (const auto what : all_collectives) {
        const auto one_case = plain.one_case(what, MPI_COMM_WORLD, world_size() - 1, ints);
        for (const auto& algorithm : algorithms_of(what))
            if (applies(algorithm, one_case, world_size())) {
                note_step(one_case.text + ", " + algorithm);
                BOOST_TEST_CONTEXT(one_case.text << ", " << algorithm) body(one_case, algorithm);
            }
    }
}

/// The problem that the registry plans for the calls of for_all_algorithms.
collectives::Problem planned_problem(const CollectiveCase& one_case) {
    auto problem = problem_of(one_case, world_size());
    if (problem.kind != collectives::Kind::barrier) problem.bytes = {ints * sizeof(int)};
    problem.unit = sizeof(int);
    problem.segment = 40;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_count_collectives)

BOOST_AUTO_TEST_CASE(a_start_sends_as_many_messages_as_the_plan_and_the_algorithm_say) {
    for_all_algorithms([](const CollectiveCase& one_case, const std::string& algorithm) {
        CheckedCollective collective(one_case);
        CollectiveVariant variant{algorithm};
        variant.segment = "40";
        for (const auto* requests : {"persistent", "immediate"}) {
            variant.requests = requests;
            const auto info = variant.info();
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            collective.init({Init::narrow, MPI_COMM_WORLD, info}, &request);
            const int messages = cost_of_start(request, 0).call_counts.messages;
            BOOST_TEST(messages == plan_of(request).messages);
            const auto problem = planned_problem(one_case);
            const auto* known = collectives::find_algorithm(problem.kind, algorithm);
            if (known) BOOST_TEST(sum_over_ranks(messages) == known->messages(problem));
            Carpool_Request_free(&request);
        }
    });
}

BOOST_AUTO_TEST_CASE(a_start_makes_no_type_no_request_no_agreement_and_allocates_nothing) {
    int way = 0;
    for_all_algorithms([&](const CollectiveCase& one_case, const std::string& algorithm) {
        CheckedCollective collective(one_case);
        for (const auto* transfer : {"pack", "types"})
            for (const auto* requests : {"persistent", "immediate"})
                for (const auto form : {Init::narrow, Init::narrow_at_once}) {
                    const CollectiveVariant variant{algorithm, form, transfer, requests, "40"};
                    const auto info = variant.info();
                    Carpool_Request request = CARPOOL_REQUEST_NULL;
                    collective.init({form, MPI_COMM_WORLD, info}, &request);
                    if (is_at_once(form)) started_and_completed(request);  // plans the request
                    for (int start = 0; start < 3; ++start) {
                        const auto cost = cost_of_start(request, way++);
                        BOOST_TEST(cost.allocations == 0, variant.text() << ", start " << start);
                        BOOST_TEST(cost.call_counts.types_created == 0, variant.text());
                        BOOST_TEST(cost.call_counts.created == 0, variant.text());
                        BOOST_TEST(cost.call_counts.collectives == 0, variant.text());
                    }
                    Carpool_Request_free(&request);
                }
    });
}

BOOST_AUTO_TEST_CASE(a_first_start_allocates_nothing_if_it_is_planned) {
    for_all_algorithms([](const CollectiveCase& one_case, const std::string& algorithm) {
        CheckedCollective collective(one_case);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto info = CollectiveVariant{algorithm}.info();
        collective.init({Init::narrow, MPI_COMM_WORLD, info}, &request);
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
    std::vector<CheckedCollective> collectives;
    for (const auto what : all_collectives)
        collectives.emplace_back(plain.one_case(what, MPI_COMM_WORLD));
    expect_flat(8000, 2000, 1000000, [&](int i) {
        auto& collective = collectives[static_cast<std::size_t>(i) % collectives.size()];
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        collective.init({inits[i / 17 % 4], MPI_COMM_WORLD}, &request);
        if (i % 3 != 0) started_and_completed(request);
        Carpool_Request_free(&request);
    });
}

BOOST_AUTO_TEST_SUITE_END()
