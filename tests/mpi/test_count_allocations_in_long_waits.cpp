// SPDX-License-Identifier: MIT
// ranks: 2 5
// environment: CARPOOL_CHOICE=model
// program: own
// sanitize-ranks: none
// one-node: all (the counts are those of one node)
//
// Counts allocations where one rank is late: a start or call that waits long allocates nothing.

#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "count_allocations.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "plain_collectives.hpp"
#include "world.hpp"

#include <chrono>
#include <functional>
#include <thread>

namespace {

using namespace carpool::tests;

/// Longer than a wait goes on before it looks for a reason.
constexpr std::chrono::milliseconds long_wait{120};

long allocations_in(const std::function<void()>& run) {
    const long before = allocations;
    run();
    return allocations - before;
}

/// Allocations in a start or call that one rank begins late.
long allocations_behind(int late, const std::function<void()>& run) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == late) std::this_thread::sleep_for(long_wait);
    return allocations_in(run);
}

/// Calls body(collective, comm, late rank) for every collective, on a communicator whose messages
/// go through memory and on one whose messages go by MPI.
void for_all_collectives(const std::function<void(CheckedCollective&, MPI_Comm, int)>& body) {
    int late = 0;
    for (const auto* transport : {"auto", "mpi"}) {
        const Environment by("CARPOOL_TRANSPORT", transport);
        const auto comm = duplicate_of_world();
        for (const auto what : all_collectives) {
            const PlainCollectives plain;
            CheckedCollective collective(plain.one_case(what, comm));
            late = (late + 1) % world_size();
            note_step(collective.one_case().text);
            BOOST_TEST_CONTEXT(collective.one_case().text << ", transport " << transport)
            body(collective, comm, late);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_count_allocations_in_long_waits)

BOOST_AUTO_TEST_CASE(a_start_that_waits_long_allocates_nothing) {
    for_all_collectives([](CheckedCollective& collective, MPI_Comm comm, int late) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        collective.init({Init::narrow, comm}, &request);
        started_and_completed(request);
        BOOST_TEST(allocations_behind(late, [&] { started_and_completed(request); }) == 0);
        Carpool_Request_free(&request);
    });
}

/// The test's own arguments are allocated in every call.
BOOST_AUTO_TEST_CASE(a_call_that_waits_long_allocates_as_much_as_any_other) {
    for_all_collectives([](CheckedCollective& collective, MPI_Comm comm, int late) {
        const auto call = collective.call();
        for (int warm = 0; warm < 3; ++warm) call_once(call, comm);
        const long usual = allocations_in([&] { call_once(call, comm); });
        BOOST_TEST(allocations_behind(late, [&] { call_once(call, comm); }) == usual);
    });
}

BOOST_AUTO_TEST_SUITE_END()
