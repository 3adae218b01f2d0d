// SPDX-License-Identifier: MIT
// One rank's very first call on a graph is refused (MPI_ERRORS_RETURN), then all ranks make right
// ones. The program knows nothing of Carpool.

#include "checks.hpp"
#include "support/current_step.hpp"

#include <mpi.h>

#include <string>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    int from = rank, into = -1;
    if (rank == 0)
        CHECK(MPI_Neighbor_alltoall(&from, -1, MPI_INT, &into, 1, MPI_INT, ring) != MPI_SUCCESS);
    for (int i = 0; i < 120; ++i) {
        interposed::note_step("call " + std::to_string(i));
        from = 1000 * rank + i;
        into = -1;
        CHECK(MPI_Neighbor_alltoall(&from, 1, MPI_INT, &into, 1, MPI_INT, ring) == MPI_SUCCESS);
        CHECK(into == 1000 * left + i);
    }
    MPI_Comm_free(&ring);
    return interposed::finish("refused_first_call");
}
