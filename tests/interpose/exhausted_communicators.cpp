// SPDX-License-Identifier: MIT
// A program that has nearly as many communicators as its MPI can make, and in which errors are
// fatal: what Carpool cannot make for itself must not fail the program's calls. The program knows
// nothing of Carpool.

#include "checks.hpp"
#include "support/current_step.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

/// Duplicates of MPI_COMM_SELF, which takes no messages, until MPI refuses to make more. MPICH can
/// make some 2,000 communicators, Open MPI more than anybody waits for.
std::vector<MPI_Comm> duplicates() {
    constexpr std::size_t most = 3000;
    std::vector<MPI_Comm> made;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm comm = MPI_COMM_NULL;
    while (made.size() < most && MPI_Comm_dup(MPI_COMM_SELF, &comm) == MPI_SUCCESS)
        made.push_back(comm);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    return made;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    constexpr std::size_t room = 40;
    constexpr int graphs = 32, calls = 53;
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    interposed::note_step("making duplicates");
    auto comms = duplicates();
    for (std::size_t i = 0; i < room; ++i) {
        MPI_Comm_free(&comms.back());
        comms.pop_back();
    }
    for (int i = 0; i < graphs; ++i) {
        MPI_Comm ring = MPI_COMM_NULL;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
        comms.push_back(ring);
    }
    for (int i = 0; i < graphs; ++i) {
        const MPI_Comm ring = comms[comms.size() - graphs + std::size_t(i)];
        for (int call = 0; call < calls; ++call) {
            interposed::note_step("graph " + std::to_string(i) + ", call " + std::to_string(call));
            const int from = 1000 * rank + i + call;
            int into = -1;
            MPI_Neighbor_alltoall(&from, 1, MPI_INT, &into, 1, MPI_INT, ring);
            CHECK(into == 1000 * left + i + call);
        }
    }
    for (auto& comm : comms) MPI_Comm_free(&comm);
    return interposed::finish("exhausted_communicators");
}
