// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// nightly-ranks: 4
// sanitize-ranks: 2
//
// Collectives whose ranks disagree, or that are started wrongly, are refused on all ranks with the
// same error.

#include <boost/test/unit_test.hpp>

#include "collective_refusal.hpp"
#include "handles.hpp"
#include "user_operators.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_errors_collectives_mismatched)

namespace {

using namespace carpool::tests;
using enum Collective;
using Call = CollectiveCall;

bool i_am_last() { return world_rank() == world_size() - 1; }

/// Runs the faults on the last rank only.
void run_all(const std::vector<CollectiveFault>& faults) {
    if (world_size() == 1) return;
    CollectiveRefusals refusals;
    for (const auto& fault : faults) refusals.run(fault, i_am_last());
}

void double_counts(Call& c) {
    for (auto* side : {&c.send, &c.recv})
        for (auto& count : side->counts) count *= 2;
}

/// An allreduce of one int that is active until the end of the scope.
class Active {
public:
    Active() {
        Carpool_Allreduce_init(&one_, &sum_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &request);
        Carpool_Start(&request);
    }
    ~Active() {
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(sum_ == world_size());
        BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    }

    Carpool_Request request = CARPOOL_REQUEST_NULL;

private:
    int one_ = 1, sum_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(counts_that_differ_between_ranks_are_refused) {
    run_all(
        {{"twice as much",
          {bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall, alltoallv,
           alltoallw, reduce, allreduce, reduce_scatter_block, reduce_scatter, scan, exscan},
          double_counts,
          {MPI_ERR_ARG, {}}},
         {"other first count",
          {allgatherv, reduce_scatter},
          [](Call& c) { ++c.recv.counts.front(); },
          {MPI_ERR_ARG, {}}},
         {"other type",
          {reduce, allreduce, reduce_scatter_block, reduce_scatter, scan, exscan},
          [](Call& c) { c.recv.types[0] = MPI_SHORT; },
          {MPI_ERR_ARG, {"size in bytes"}}}});
}

BOOST_AUTO_TEST_CASE(roots_that_differ_between_ranks_are_refused) {
    run_all({{"root 0",
              those([](Collective what) { return has_root(what); }),
              [](Call& c) {
                  c.root = 0;
                  if (c.send.counts.empty()) c.send = c.recv;
                  c.recv.types = c.send.types = {MPI_INT};
                  c.recv.counts.assign(static_cast<std::size_t>(world_size()), 3);
                  c.send.counts = c.recv.counts;
                  c.recv.displs.assign(c.recv.counts.size(), 0);
                  c.send.displs = c.recv.displs;
              },
              {MPI_ERR_ARG, {"root"}}}});
}

BOOST_AUTO_TEST_CASE(collectives_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    CollectiveRefusals refusals;
    for (const auto here : all_collectives)
        for (const auto there : all_collectives) {
            if (kind_of(here) == kind_of(there)) continue;
            CheckedCollective one(refusals.one_case(here)), other(refusals.one_case(there));
            auto call = i_am_last() ? one.call() : other.call();
            const auto form = inits[(static_cast<int>(here) + static_cast<int>(there)) % 4];
            refusals.refuse(std::string(name_of(here)) + " and " + name_of(there),
                            {MPI_ERR_ARG, {"operation"}}, [&](Carpool_Request* request) {
                                return init(call, {form, MPI_COMM_WORLD}, request);
                            });
            BOOST_TEST(one.effect() == "");
            BOOST_TEST(other.effect() == "");
        }
}

BOOST_AUTO_TEST_CASE(operators_that_commute_only_on_some_ranks_are_refused) {
    if (world_size() == 1) return;
    const auto commuting = op_of(take_left, true), ordered = op_of(take_left, false);
    const CollectiveFault fault{"not commuting",
                                those([](Collective what) { return reduces(what); }),
                                [&](Call& c) { c.op = i_am_last() ? ordered : commuting; },
                                {MPI_ERR_ARG, {"op"}}};
    CollectiveRefusals().run(fault, true);
}

BOOST_AUTO_TEST_CASE(invalid_settings_are_refused) {
    const std::pair<const char*, const char*> settings[] = {
        {"carpool_algorithm", "teleport"}, {"carpool_algorithm", "torus"},
        {"carpool_segment", "0"},          {"carpool_segment", "-8"},
        {"carpool_segment", "much"},       {"carpool_choice", "perhaps"},
        {"carpool_alpha", "dear"},         {"carpool_transfer", "pigeon"},
        {"carpool_requests", "polite"}};
    CollectiveRefusals refusals;
    for (const auto& [key, value] : settings)
        for (const auto what : {barrier, bcast, alltoallw, reduce_scatter})
            for (const bool here : {true, i_am_last()})
                for (const auto form : inits) {
                    CheckedCollective collective(refusals.one_case(what));
                    const auto info = here ? info_of({{key, value}}) : info_of({});
                    refusals.refuse(std::string(name_of(what)) + ", " + key + "=" + value,
                                    {MPI_ERR_INFO_VALUE, {key}}, [&](Carpool_Request* request) {
                                        return collective.init({form, MPI_COMM_WORLD, info},
                                                               request);
                                    });
                }
}

BOOST_AUTO_TEST_CASE(settings_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    const std::pair<const char*, std::pair<const char*, const char*>> settings[] = {
        {"carpool_algorithm", {"linear", "binomial"}},
        {"carpool_segment", {"100", "1000"}},
        {"carpool_choice", {"measure", "model"}},
        {"carpool_alpha", {"1", "2"}}};
    CollectiveRefusals refusals;
    for (const auto& [key, values] : settings)
        for (const auto form : inits) {
            CheckedCollective collective(refusals.one_case(reduce));
            const auto info = info_of({{key, i_am_last() ? values.first : values.second}});
            refusals.refuse(key, {MPI_ERR_ARG, {key}}, [&](Carpool_Request* request) {
                return collective.init({form, MPI_COMM_WORLD, info}, request);
            });
        }
}

BOOST_AUTO_TEST_CASE(null_and_intercommunicators_are_refused_at_once) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("null", MPI_COMM_SELF, {MPI_ERR_COMM, {"comm"}},
                   [&] { return Carpool_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request); });
    expect_refusal("null", MPI_COMM_SELF, {MPI_ERR_COMM, {"comm"}},
                   [&] { return Carpool_Ibarrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request); });
    if (world_size() == 1) return;
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank() % 2, 5, &between);
    const Comm owned_half(half), owned(between);
    expect_refusal("between groups", between, {MPI_ERR_COMM, {"comm"}},
                   [&] { return Carpool_Barrier_init(between, MPI_INFO_NULL, &request); });
    expect_refusal("between groups", between, {MPI_ERR_COMM, {"comm"}},
                   [&] { return Carpool_Ibarrier_init(between, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(start_and_free_of_an_active_request_are_refused) {
    Active a;
    const ExpectedError is_active{MPI_ERR_REQUEST, {"active"}};
    expect_refusal("Start", MPI_COMM_WORLD, is_active, [&] { return Carpool_Start(&a.request); });
    expect_refusal("Startall", MPI_COMM_WORLD, is_active,
                   [&] { return Carpool_Startall(1, &a.request); });
    expect_refusal("free", MPI_COMM_WORLD, is_active,
                   [&] { return Carpool_Request_free(&a.request); });
}

BOOST_AUTO_TEST_CASE(start_and_free_of_an_active_request_not_yet_planned_are_refused) {
    const ExpectedError is_active{MPI_ERR_REQUEST, {"active"}};
    for (int round = 0; round < 5; ++round) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        Carpool_Ibarrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        Carpool_Start(&request);
        expect_refusal("Start", MPI_COMM_WORLD, is_active, [&] { return Carpool_Start(&request); });
        expect_refusal("free", MPI_COMM_WORLD, is_active,
                       [&] { return Carpool_Request_free(&request); });
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_CASE(every_start_of_a_request_whose_init_failed_is_refused) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int word = 1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int count = i_am_last() ? -1 : 1;
    Carpool_Ibcast_init(&word, count, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int start = 0; start < 3; ++start)
        BOOST_TEST(class_of(started_and_completed(request, start)) == MPI_ERR_COUNT);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(the_statuses_of_testall_and_testsome_say_which_request_failed) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (const bool some : {false, true}) {
        int word = 1;
        Carpool_Request requests[3] = {};
        Carpool_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        Carpool_Ibcast_init(&word, -1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
        BOOST_TEST(Carpool_Start(&requests[0]) == MPI_SUCCESS);
        MPI_Status statuses[3];
        int failed = 0, indices[3], code = Carpool_Start(&requests[2]);
        while (code == MPI_SUCCESS && failed == 0) {
            int count = 3;
            code = some ? Carpool_Waitsome(3, requests, &count, indices, statuses)
                        : Carpool_Waitall(3, requests, statuses);
            BOOST_TEST_REQUIRE(count != MPI_UNDEFINED);
            for (int i = 0; i < count; ++i) failed += statuses[i].MPI_ERROR != MPI_SUCCESS;
            BOOST_TEST(class_of(code) == (failed > 0 ? MPI_ERR_IN_STATUS : MPI_SUCCESS));
            if (failed > 0)
                BOOST_TEST(class_of(statuses[some ? count - 1 : 2].MPI_ERROR) == MPI_ERR_COUNT);
        }
        if (failed == 0) BOOST_TEST(class_of(code) == MPI_ERR_COUNT);  // found at the start
        BOOST_TEST(Carpool_Wait(&requests[0], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        Carpool_Request_free(&requests[0]);
        Carpool_Request_free(&requests[2]);
    }
}

BOOST_AUTO_TEST_CASE(blocking_and_background_inits_with_different_arguments_do_not_hang) {
    if (world_size() == 1) return;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int word = 1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    if (i_am_last()) {
        BOOST_TEST(Carpool_Ibcast_init(&word, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                                       &request) == MPI_SUCCESS);
        BOOST_TEST(class_of(started_and_completed(request)) == MPI_ERR_ARG);
        Carpool_Request_free(&request);
    } else {
        const int code =
            Carpool_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        BOOST_TEST(class_of(code) == MPI_ERR_ARG);
    }
}

BOOST_AUTO_TEST_SUITE_END()
