// SPDX-License-Identifier: MIT
// ranks: 2 3
// environment: CARPOOL_CHECK=all
//
// With a check by all ranks in each call, a rank that calls something else causes an error on all
// ranks, whatever calls preceded it on the communicator.

#include <boost/test/unit_test.hpp>

#include "kinds_of_calls.hpp"
#include "refusal.hpp"

#include <string>

BOOST_AUTO_TEST_SUITE(test_errors_check_all)

namespace {

using namespace carpool::tests;

/// A ring on which one kind of call was made, often enough that its plan is kept, or on which no
/// call was made.
Comm ring_after(const KindOfCall* before) {
    auto ring = ring_of_all();
    for (int i = 0; before != nullptr && i < 6; ++i)
        BOOST_TEST_REQUIRE(before->call(ring) == MPI_SUCCESS);
    return ring;
}

void expect_difference(const KindOfCall* before, const KindOfCall& one, const KindOfCall& other) {
    const auto ring = ring_after(before);
    const auto& mine = world_rank() == 0 ? one : other;
    const auto fault = mismatch({MPI_ERR_ARG, {"collective operation"}}, mine.call(ring));
    BOOST_TEST(fault == "", one.name << " on rank 0, " << other.name << " on others, after "
                                     << (before != nullptr ? before->name : "nothing")
                                     << ": the error " << fault);
    BOOST_TEST(kinds_of_calls()[0].call(ring) == MPI_SUCCESS);
}

}  // namespace

BOOST_AUTO_TEST_CASE(another_function_on_one_rank_is_an_error_on_all_ranks) {
    for (const auto& one : kinds_of_calls())
        for (const auto& other : kinds_of_calls()) {
            if (one.name == other.name) continue;
            expect_difference(nullptr, one, other);
            for (const auto& before : kinds_of_calls()) expect_difference(&before, one, other);
        }
}

BOOST_AUTO_TEST_CASE(sparse_exchanges_after_a_mismatched_one_are_errors_on_all_ranks) {
    const auto ring = ring_after(&kinds_of_calls()[3]);
    const auto& alltoall = kinds_of_calls()[0];
    const int code = world_rank() == 0 ? alltoall.call(ring) : exchange_with_next(ring);
    BOOST_TEST(class_of(code) == MPI_ERR_ARG);
    for (int i = 0; i < 6; ++i) {
        const auto fault = mismatch({MPI_ERR_OTHER, {"an earlier exchange on comm has failed"}},
                                    exchange_with_next(ring));
        BOOST_TEST(fault == "", "the error " << fault);
    }
    BOOST_TEST(alltoall.call(ring) == MPI_SUCCESS);
    const auto other = ring_of_all();
    BOOST_TEST(exchange_with_next(other) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
