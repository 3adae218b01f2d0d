// SPDX-License-Identifier: MIT
// ranks: 1 4 6
// sanitize-ranks: none
//
// Functions by their names in the papers, where they do more than pass on their arguments.

#include <boost/test/unit_test.hpp>

#define CARPOOL_ISO_START_NONBLOCKING
#include <carpool/papers.h>

#include "handles.hpp"
#include "world.hpp"

#include <vector>

BOOST_AUTO_TEST_SUITE(test_names_of_the_papers)

namespace {

using namespace carpool::tests;

Comm ring(const std::vector<int>& offsets) {
    const int dims[] = {world_size()};
    const int periods[] = {1};
    MPI_Comm cart, iso;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    Iso_neighborhood_create(cart, static_cast<int>(offsets.size()), offsets.data(), &iso);
    MPI_Comm_free(&cart);
    return Comm(iso);
}

}  // namespace

BOOST_AUTO_TEST_CASE(int_counts_are_taken_with_displacements_of_type_mpi_aint) {
    const auto iso = ring({1, -1});
    const int counts[] = {2, 1};
    const MPI_Aint to[] = {0, 2}, from[] = {1, 0};
    const int self = world_rank(), p = world_size();
    const int send[] = {10 * self, 10 * self + 1, 10 * self + 2};
    int all[] = {-1, -1, -1};
    int gathered[] = {-1, -1};
    Iso_request alltoallv, allgatherv;
    Iso_neighbor_alltoallv_init(send, counts, to, MPI_INT, all, counts, from, MPI_INT, iso,
                                &alltoallv);
    const int ones[] = {1, 1};
    Iso_neighbor_allgatherv_init(send, 1, MPI_INT, gathered, ones, from, MPI_INT, iso, &allgatherv);
    for (auto* request : {&alltoallv, &allgatherv}) {
        Iso_start(request);
        Iso_wait(request);
        Iso_request_free(request);
    }
    const int left = (self + p - 1) % p, right = (self + 1) % p;
    BOOST_TEST(all[1] == 10 * left);
    BOOST_TEST(all[2] == 10 * left + 1);
    BOOST_TEST(all[0] == 10 * right + 2);
    BOOST_TEST(gathered[1] == 10 * left);
    BOOST_TEST(gathered[0] == 10 * right);
}

BOOST_AUTO_TEST_CASE(an_init_without_handle_checks_its_arguments) {
    const auto iso = ring({1});
    MPI_Comm_set_errhandler(iso, MPI_ERRORS_RETURN);
    int send = 1, recv = 0;
    BOOST_TEST(Cart_alltoall_init(&send, 1, MPI_INT, &recv, 1, MPI_INT, iso) == MPI_SUCCESS);
    BOOST_TEST(Cart_alltoall_init(&send, -1, MPI_INT, &recv, 1, MPI_INT, iso) != MPI_SUCCESS);
    BOOST_TEST(recv == 0);
}

BOOST_AUTO_TEST_SUITE_END()
