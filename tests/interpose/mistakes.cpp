// SPDX-License-Identifier: MIT
// Mistakes: a call by MPI's name returns the error class that the host's own function returns, and
// what follows works, in an MPI program that knows nothing of Carpool.

#include "checks.hpp"

#include <mpi.h>

namespace {

int class_of(int code) {
    int result = 0;
    MPI_Error_class(code, &result);
    return result;
}

}  // namespace

// Several times, since the first calls are the host's.
#define CHECK_SAME_CLASS(call) \
    for (int i = 0; i < 4; ++i) CHECK(class_of(P##call) == class_of(call))

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, period = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &period, 0, &ring);
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF, ring})
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype none = MPI_DATATYPE_NULL, ints = MPI_INT;
    int s[100] = {}, r[100] = {};

    CHECK_SAME_CLASS(MPI_Neighbor_alltoall(s, -1, ints, r, -1, ints, ring));
    CHECK_SAME_CLASS(MPI_Neighbor_alltoall(s, 1, none, r, 1, none, ring));
    CHECK_SAME_CLASS(MPI_Neighbor_alltoall(s, 1, ints, r, 1, ints, world));
    CHECK_SAME_CLASS(MPI_Neighbor_alltoall(s, 1, ints, r, 1, ints, MPI_COMM_NULL));
    CHECK_SAME_CLASS(MPI_Alltoall(s, -1, ints, r, -1, ints, world));
    CHECK_SAME_CLASS(MPI_Alltoall(s, 1, ints, r, 1, ints, MPI_COMM_NULL));
    CHECK_SAME_CLASS(MPI_Alltoall(r, 1, ints, r, 1, ints, world));
    CHECK_SAME_CLASS(MPI_Bcast(s, 1, ints, ranks, world));
    CHECK_SAME_CLASS(MPI_Allreduce(s, r, 1, ints, MPI_OP_NULL, world));
    CHECK_SAME_CLASS(MPI_Allreduce(r, r, 1, ints, MPI_SUM, world));
    CHECK_SAME_CLASS(MPI_Allreduce(s, r, 1, MPI_DOUBLE, MPI_BAND, world));

    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_SAME_CLASS(MPI_Ineighbor_alltoall(s, -1, ints, r, -1, ints, ring, &request));
    CHECK_SAME_CLASS(MPI_Ialltoall(s, 1, none, r, 1, none, world, &request));
    CHECK_SAME_CLASS(
        MPI_Neighbor_alltoall_init(s, -1, ints, r, -1, ints, ring, MPI_INFO_NULL, &request));
    CHECK_SAME_CLASS(MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request));
    CHECK_SAME_CLASS(
        MPI_Allreduce_init(s, r, 1, ints, MPI_OP_NULL, world, MPI_INFO_NULL, &request));

    for (int i = 0; i < 20; ++i) {
        s[0] = rank;
        s[1] = rank + 100;
        MPI_Neighbor_alltoall(s, 1, ints, r, 1, ints, ring);
        CHECK(r[0] == (rank + ranks - 1) % ranks + 100 && r[1] == (rank + 1) % ranks);
        int one = 1, sum = 0;
        MPI_Allreduce(&one, &sum, 1, ints, MPI_SUM, world);
        CHECK(sum == ranks);
    }
    MPI_Comm_free(&ring);
    return interposed::finish("mistakes");
}
