// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/request.h>
#include <mpi.h>

#include <boost/test/unit_test.hpp>

#include <string>

namespace carpool::tests {

/// Starts a request several times, each time with other contents, and frees it.
/// @param call  its buffers; it has `prepare(start)` and `fault()`, which describes what is wrong
template <typename Call>
void check_starts(Call& call, Carpool_Request request, int starts, const std::string& what) {
    for (int start = 0; start < starts; ++start) {
        call.prepare(start);
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS, what);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
        const auto fault = call.fault();
        BOOST_TEST(fault == "", what << ", start " << start << ": " << fault);
    }
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS, what);
}

}  // namespace carpool::tests
