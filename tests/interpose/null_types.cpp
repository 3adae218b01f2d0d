// SPDX-License-Identifier: MIT
// Blocks without elements that have MPI_DATATYPE_NULL, on one rank alone: rank 0 neither sends nor
// receives. MPICH accepts that; where the host does not, rank 0 repeats its call with types. The
// program knows nothing of Carpool.

#include "checks.hpp"
#include "support/current_step.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

/// An alltoallw among all ranks but 0, in one of two forms.
int exchange(const std::vector<int>& from, std::vector<int>& into, const std::vector<int>& counts,
             const std::vector<MPI_Datatype>& types, bool blocking) {
    std::vector<int> displs;
    for (const int& number : from)
        displs.push_back(static_cast<int>(sizeof number * displs.size()));
    if (blocking)
        return MPI_Alltoallw(from.data(), counts.data(), displs.data(), types.data(), into.data(),
                             counts.data(), displs.data(), types.data(), MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_Ialltoallw(from.data(), counts.data(), displs.data(), types.data(), into.data(),
                       counts.data(), displs.data(), types.data(), MPI_COMM_WORLD, &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const auto all = static_cast<std::size_t>(ranks);
    for (int i = 0; i < 128; ++i) {
        interposed::note_step("call " + std::to_string(i));
        std::vector<int> from, into(all, -1), expected, counts;
        for (int peer = 0; peer < ranks; ++peer) {
            const bool exchanges = rank != 0 && peer != 0;
            from.push_back(100 * rank + 10 * peer + i);
            expected.push_back(exchanges ? 100 * peer + 10 * rank + i : -1);
            counts.push_back(exchanges ? 1 : 0);
        }
        const std::vector<MPI_Datatype> none(all, MPI_DATATYPE_NULL), ints(all, MPI_INT);
        int code = exchange(from, into, counts, rank == 0 ? none : ints, i % 2 == 1);
        if (rank == 0 && code != MPI_SUCCESS) code = exchange(from, into, counts, ints, i % 2 == 1);
        CHECK(code == MPI_SUCCESS);
        CHECK(into == expected);
    }
    return interposed::finish("null_types");
}
