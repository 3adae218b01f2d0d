// SPDX-License-Identifier: MIT
// An exscan in which rank 0 gives null for recvbuf, which is not significant there (MPI 4.1,
// section 6.11.2). Where the host does not accept that, rank 0 repeats its call with a buffer. The
// program knows nothing of Carpool.

#include "checks.hpp"
#include "support/current_step.hpp"

#include <mpi.h>

#include <string>

namespace {

int exscan(const int* from, int* into, bool blocking) {
    if (blocking) return MPI_Exscan(from, into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Iexscan(from, into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 128; ++i) {
        interposed::note_step("call " + std::to_string(i));
        const int from = rank + i;
        int sum = -7;
        int code = exscan(&from, rank == 0 ? nullptr : &sum, i % 2 == 0);
        if (rank == 0 && code != MPI_SUCCESS) code = exscan(&from, &sum, i % 2 == 0);
        CHECK(code == MPI_SUCCESS);
        if (rank > 0) CHECK(sum == rank * (rank - 1) / 2 + rank * i);
    }
    return interposed::finish("exscan_without_result");
}
