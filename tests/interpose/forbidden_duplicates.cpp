// SPDX-License-Identifier: MIT
// A copy callback of an attribute forbids duplicates of communicators, and errors are fatal. No
// call on them may fail. The program knows nothing of Carpool.

#include "checks.hpp"
#include "support/current_step.hpp"

#include <mpi.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace {

int refuse(MPI_Comm, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return MPI_ERR_OTHER;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, key = MPI_KEYVAL_INVALID;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Comm all = MPI_COMM_NULL, ring = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Dist_graph_create_adjacent(all, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    for (const MPI_Comm comm : {all, ring}) MPI_Comm_set_attr(comm, key, nullptr);

    std::vector<int> from(static_cast<std::size_t>(ranks)), into(from.size()), expected;
    for (int i = 0; i < 120; ++i) {
        interposed::note_step("call " + std::to_string(i));
        std::iota(from.begin(), from.end(), 100 * rank + i);
        MPI_Alltoall(from.data(), 1, MPI_INT, into.data(), 1, MPI_INT, all);
        for (int peer = 0; peer < ranks; ++peer)
            CHECK(into[static_cast<std::size_t>(peer)] == 100 * peer + i + rank);
        into[0] = -1;
        MPI_Neighbor_alltoall(from.data(), 1, MPI_INT, into.data(), 1, MPI_INT, ring);
        CHECK(into[0] == 100 * left + i);
        into[0] = -1;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ineighbor_alltoall(from.data(), 1, MPI_INT, into.data(), 1, MPI_INT, ring, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(into[0] == 100 * left + i);
    }

    interposed::note_step("a persistent sum");
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, all, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == ranks * (ranks - 1) / 2);
    MPI_Request_free(&request);
    for (auto* comm : {&ring, &all}) MPI_Comm_free(comm);
    return interposed::finish("forbidden_duplicates");
}
