// SPDX-License-Identifier: MIT
// ranks: 2 5
// nightly-ranks: 3 4 7 12
// sanitize-ranks: 3
//
// The very first call on a communicator, in which all ranks vote: one of them calls an _init, and
// all return an error.

#include <boost/test/unit_test.hpp>

#include "refusal.hpp"
#include "ring_calls.hpp"

#include <carpool/collectives.h>

BOOST_AUTO_TEST_SUITE(test_errors_first_calls)

namespace {

using namespace carpool::tests;

const ExpectedError other_form{
    MPI_ERR_ARG, {"collective operation, or its form with _init or without, on rank 0 is not"}};

}  // namespace

// One rank plans a request where the others make a blocking call. The error must not name settings.

BOOST_AUTO_TEST_CASE(an_init_among_first_blocking_calls_is_an_error_on_all_ranks) {
    for (const int wrong : {0, world_size() - 1}) {
        const auto comm = duplicate_of_world();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const int mine = world_rank();
        int sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code = mine == wrong ? Carpool_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM,
                                                                comm, MPI_INFO_NULL, &request)
                                       : Carpool_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        const auto fault = mismatch(other_form, code);
        BOOST_TEST(fault == "", fault);
    }
}

BOOST_AUTO_TEST_CASE(an_init_among_first_blocking_neighbor_calls_is_an_error_on_all_ranks) {
    for (const int wrong : {0, world_size() - 1}) {
        const auto comm = graph_ring();
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        const int sent[] = {1, 2};
        int received[2];
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code =
            world_rank() == wrong
                ? Carpool_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm,
                                                 MPI_INFO_NULL, &request)
                : Carpool_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
        const auto fault = mismatch(other_form, code);
        BOOST_TEST(fault == "", fault);
    }
}

BOOST_AUTO_TEST_SUITE_END()
