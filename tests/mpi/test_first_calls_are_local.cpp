// SPDX-License-Identifier: MIT
// ranks: 2 3 4 7
// sanitize-ranks: 3
//
// First uses of communicators with a topology of MPI: one rank makes its nonblocking calls only
// when all others have returned from theirs, so no call may wait for another rank.

#include <boost/test/unit_test.hpp>

#include "check_operations.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "forwarded_exchange.hpp"
#include "graph_neighbors.hpp"
#include "grid_neighborhood.hpp"
#include "late_rank.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_first_calls_are_local)

using namespace carpool::tests;

namespace {

constexpr const char* rules[] = {"direct", "friends",   "cumulative", "mesh",
                                 "grid",   "hypercube", "digits",     "auto"};

/// Fewer with many ranks, since there are few cores.
int rounds() { return world_size() > 4 ? 1 : 3; }

/// Open MPI duplicates a communicator only while all its ranks wait, so with it a channel is made
/// before. The topology is still unknown.
void make_channel([[maybe_unused]] MPI_Comm comm) {
#ifdef OPEN_MPI
    Carpool_Barrier(comm);
#endif
}

int some_rank(std::mt19937& rng) {
    return static_cast<int>(rng() % static_cast<unsigned>(world_size()));
}

/// An exchange in progress, in a form that returns at once.
struct Running {
    Running(Operation operation, const Neighbors& n, Form form_of_call, int variation = 0)
        : exchange(along_edges(operation, n, world_rank(), variation), n), form(form_of_call) {
        exchange.prepare(0);
    }

    void call(MPI_Comm comm, MPI_Info info = MPI_INFO_NULL) {
        BOOST_TEST(exchange.make_call({form, comm, info, &request, &once}) == MPI_SUCCESS);
        if (is_persistent(form)) BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
    }

    void end(const std::string& what) {
        if (is_persistent(form)) BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == 0, what);
        BOOST_TEST(MPI_Wait(&once, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
        BOOST_TEST(exchange.fault() == "", what);
        if (is_persistent(form)) Carpool_Request_free(&request);
    }

    CheckedExchange exchange;
    Form form;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    MPI_Request once = MPI_REQUEST_NULL;
};

using RequestsOfAllRules = std::vector<std::unique_ptr<Running>>;

/// All operations, in both forms that return at once.
RequestsOfAllRules calls_on(const Neighbors& n) {
    RequestsOfAllRules calls;
    for (const Operation operation : operations)
        for (const Form form : {Form::background, Form::nonblocking})
            calls.push_back(std::make_unique<Running>(operation, n, form));
    return calls;
}

/// A ring of all ranks with one edge that only its source lists.
Neighbors torn_ring() {
    const int size = world_size();
    Neighbors n;
    n.targets = {(world_rank() + 1) % size};
    n.sources = {(world_rank() + size - 1) % size};
    if (world_rank() == 0) n.targets.push_back(1);
    return n;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_nonblocking_call_on_a_graph_is_local_by_every_rule) {
    auto rng = seeded();
    const auto grid_cases = graph_cases(world_size());
    for (const char* name : rules)
        for (const Form form : {Form::background, Form::nonblocking}) {
            const Environment rule("CARPOOL_ALGORITHM", name);
            const auto& graph = grid_cases[rng() % grid_cases.size()];
            const Operation operation = operations[rng() % std::size(operations)];
            const auto what = graph.name + ": " + name + ", " + name_of(form);
            note_step(what);
            const auto n = own_neighbors(graph.targets, rng);
            const auto comm = distributed_graph(n);
            make_channel(comm);
            Running running(operation, n, form);
            before_the_late_one(some_rank(rng), [&] { running.call(comm); });
            running.end(what);
        }
}

BOOST_AUTO_TEST_CASE(calls_of_all_operations_may_follow_the_first_before_it_completes) {
    auto rng = seeded();
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    const auto grid_cases = graph_cases(world_size());
    for (int round = 0; round < rounds(); ++round) {
        const Environment rule("CARPOOL_ALGORITHM", rules[rng() % std::size(rules)]);
        const auto n = own_neighbors(grid_cases[rng() % grid_cases.size()].targets, rng);
        const auto comm = distributed_graph(n);
        make_channel(comm);
        auto calls = calls_on(n);
        std::shuffle(calls.begin(), calls.end(), rng);
        const auto info = info_of({{"carpool_algorithm", rules[rng() % std::size(rules)]}});
        before_the_late_one(some_rank(rng), [&] {
            for (auto& one : calls) one->call(comm, info);
        });
        std::shuffle(calls.begin(), calls.end(), own);
        for (auto& one : calls) one->end("round " + std::to_string(round));
        check_all_operations("afterwards", n, comm);
    }
}

BOOST_AUTO_TEST_CASE(the_first_nonblocking_call_on_a_cartesian_communicator_is_local) {
    auto rng = seeded();
    for (const int periodic : {1, 0}) {
        const auto dims = balanced_dims(world_size(), 2);
        const int periods[] = {periodic, periodic};
        MPI_Comm made;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods, 0, &made);
        const Comm comm(made);
        make_channel(comm);
        const std::vector<int> sent(4, world_rank());
        std::vector<int> received(4, -1), expected(4, -1);
        for (int k = 0; k < 2; ++k) {
            int* const two = expected.data() + std::ptrdiff_t{2} * k;
            MPI_Cart_shift(comm, k, 1, two, two + 1);
        }
        for (int& rank : expected)
            if (rank == MPI_PROC_NULL) rank = -1;
        MPI_Request request;
        before_the_late_one(some_rank(rng), [&] {
            Carpool_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm,
                                       &request);
        });
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(received == expected);
    }
}

BOOST_AUTO_TEST_CASE(planning_progresses_while_ranks_wait_in_mpi) {
    if (!mpi_calls_back()) return;
    auto rng = seeded();
    const auto grid_cases = graph_cases(world_size());
    for (const char* name : {"friends", "mesh"}) {
        const Environment rule("CARPOOL_ALGORITHM", name);
        const auto n = own_neighbors(grid_cases.back().targets, rng);
        const auto comm = distributed_graph(n);
        make_channel(comm);
        Running running(Operation::alltoall, n, Form::background);
        const int late = some_rank(rng);
        before_the_late_one(late, [&] { running.call(comm); });
        char word = 0;
        if (world_rank() == late) running.end(name);
        MPI_Bcast(&word, 1, MPI_CHAR, late, MPI_COMM_WORLD);
        if (world_rank() != late) running.end(name);
    }
}

BOOST_AUTO_TEST_CASE(a_request_may_be_freed_before_its_communicator_is_adopted) {
    auto rng = seeded();
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, rng);
    for (int round = 0; round < rounds(); ++round) {
        const auto comm = distributed_graph(n);
        make_channel(comm);
        Running never(Operation::allgather, n, Form::background);
        Running used(Operation::alltoall, n, Form::background);
        before_the_late_one(some_rank(rng), [&] {
            BOOST_TEST(never.exchange.make_call(
                           {Form::background, comm, MPI_INFO_NULL, &never.request}) == MPI_SUCCESS);
            BOOST_TEST(Carpool_Request_free(&never.request) == MPI_SUCCESS);
            if (round % 2 == 0) used.call(comm);
        });
        if (round % 2 == 0) used.end("used");
    }
}

/// The duplicate keeps what a call finds out that began before the duplication, and nothing else.
BOOST_AUTO_TEST_CASE(a_communicator_may_be_duplicated_before_it_is_adopted) {
    auto rng = seeded();
    const auto grid_cases = graph_cases(world_size());
    for (int round = 0; round < rounds(); ++round) {
        const Environment rule("CARPOOL_ALGORITHM", rules[rng() % std::size(rules)]);
        const auto n = own_neighbors(grid_cases[rng() % grid_cases.size()].targets, rng);
        const auto comm = distributed_graph(n);
        make_channel(comm);
        Running before(Operation::alltoallv, n, Form::nonblocking);
        Running between(Operation::allgather, n, Form::background);
        Running after(Operation::alltoallv, n, Form::nonblocking, 1);
        MPI_Comm one, two;
        before_the_late_one(some_rank(rng), [&] { before.call(comm); });
        MPI_Comm_dup(comm, &one);
        between.call(comm);
        MPI_Comm_dup(one, &two);
        const Comm first(one), second(two);
        make_channel(second);
        before_the_late_one(some_rank(rng), [&] { after.call(second); });
        after.end("after");
        between.end("between");
        before.end("before");
        check_all_operations("first", n, first);
        check_all_operations("second", n, second);
        check_all_operations("original", n, comm);
    }
}

BOOST_AUTO_TEST_CASE(an_error_in_a_graph_is_returned_by_the_start_and_by_later_calls) {
    auto rng = seeded();
    const auto n = torn_ring();
    const auto comm = distributed_graph(n);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    make_channel(comm);
    int in[4] = {}, out[4] = {};
    Carpool_Request requests[] = {CARPOOL_REQUEST_NULL, CARPOOL_REQUEST_NULL};
    MPI_Request once = MPI_REQUEST_NULL;
    before_the_late_one(some_rank(rng), [&] {
        for (auto& request : requests)
            BOOST_TEST(Carpool_Ineighbor_allgather_init(in, 1, MPI_INT, out, 1, MPI_INT, comm,
                                                        MPI_INFO_NULL, &request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm, &once) ==
                   MPI_SUCCESS);
    });
    const ExpectedError edge{MPI_ERR_TOPOLOGY, {"rank 0", "rank 1", "2 times", "targets", "once"}};
    for (auto& request : requests) {
        const int code = Carpool_Start(&request);
        BOOST_TEST(mismatch(edge, code != MPI_SUCCESS
                                      ? code
                                      : Carpool_Wait(&request, MPI_STATUS_IGNORE)) == "");
        BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    }
    BOOST_TEST(mismatch(edge, MPI_Wait(&once, MPI_STATUS_IGNORE)) == "");
}

/// The next call on the same communicator succeeds once the environment is right.
BOOST_AUTO_TEST_CASE(a_communicator_whose_adoption_failed_is_adopted_by_the_next_call) {
    auto rng = seeded();
    const auto n = own_neighbors(graph_cases(world_size()).back().targets, rng);
    const auto comm = distributed_graph(n);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    make_channel(comm);  // otherwise nonblocking calls with Open MPI adopt nothing
    {
        const Environment wrong("CARPOOL_ALPHA", "much");
        Running running(Operation::allgather, n, Form::nonblocking);
        BOOST_TEST(running.exchange.make_call({Form::nonblocking, comm, MPI_INFO_NULL, nullptr,
                                               &running.once}) == MPI_SUCCESS);
        BOOST_TEST(MPI_Wait(&running.once, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    }
    Running running(Operation::allgather, n, Form::nonblocking);
    running.call(comm);
    running.end("right");
}

BOOST_AUTO_TEST_SUITE_END()
