// SPDX-License-Identifier: MIT
// A graph of which rank 0 lists an edge to rank 2 that rank 2 does not list. Nothing goes along it,
// so hosts get along with it. The program knows nothing of Carpool.

#include "checks.hpp"

#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks;
    std::vector<int> targets{(rank + 1) % ranks};
    if (rank == 0) targets.push_back(2);
    const int sent = static_cast<int>(targets.size());
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, sent, targets.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    for (int i = 0; i < 100; ++i) {
        const std::vector<int> counts{1, 0}, places{0, 0};
        int into = -1;
        const int one = 1, start = 0, from = rank + i;
        MPI_Request request = MPI_REQUEST_NULL;
        if (i % 2 == 0) {
            MPI_Neighbor_alltoallv(&from, counts.data(), places.data(), MPI_INT, &into, &one,
                                   &start, MPI_INT, graph);
        } else {
            MPI_Ineighbor_alltoallv(&from, counts.data(), places.data(), MPI_INT, &into, &one,
                                    &start, MPI_INT, graph, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        CHECK(into == left + i);
    }
    MPI_Comm_free(&graph);
    return interposed::finish("disagreeing_graph");
}
