// SPDX-License-Identifier: MIT
// Functions whose calls are never Carpool's are MPI's own from the first call on, so a tool that
// comes after Carpool sees them. Of functions that Carpool knows it sees none.

#include "checks.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdlib>

/// @param argv  the number of calls that the tool must have seen
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i <= 3; ++i) {
        int sum = 0, sum_of_these = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Scan(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Iscan(&i, &sum_of_these, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(sum == i * (rank + 1) && sum_of_these == sum);
    }
    const auto* const seen = static_cast<const int*>(dlsym(RTLD_DEFAULT, "tool_scans"));
    CHECK(seen != nullptr && *seen == std::atoi(argv[1]));
    return interposed::finish("left_functions");
}
