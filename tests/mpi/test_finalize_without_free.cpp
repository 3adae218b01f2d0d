// SPDX-License-Identifier: MIT
// ranks: 1 3 4
// program: own
// sanitize-ranks: 3
//
// Communicators and neighborhoods that are never freed end with MPI.

#include <boost/test/unit_test.hpp>

#include "grid_neighborhood.hpp"
#include "world.hpp"

#include <vector>

namespace {

using namespace carpool::tests;

BOOST_AUTO_TEST_SUITE(test_finalize_without_free)

BOOST_AUTO_TEST_CASE(communicators_that_are_not_freed_end_in_finalize) {
    const int dims[] = {world_size()}, periods[] = {1}, offsets[] = {-1, 1};
    std::vector<MPI_Comm> copies(3), rings(3);
    for (std::size_t i = 0; i < copies.size(); ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copies[i]);
        BOOST_TEST(Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 2, offsets,
                                                    MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                                    &rings[i]) == MPI_SUCCESS);
    }
    for (const auto copy : copies) {
        const int mine = 1;
        int sum = 0;
        MPI_Request request;
        Carpool_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, copy, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(sum == world_size());
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
