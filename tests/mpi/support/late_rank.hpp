// SPDX-License-Identifier: MIT
#pragma once

#include "world.hpp"

#include <mpi.h>

#include <functional>

namespace carpool::tests {

/// One rank makes the calls only after all others have made them and returned.
/// @note Collective over MPI_COMM_WORLD.
inline void before_the_late_one(int late, const std::function<void()>& calls) {
    char word = 0;
    for (int rank = 0; world_rank() == late && rank < world_size(); ++rank)
        if (rank != late) MPI_Recv(&word, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    calls();
    if (world_rank() != late) MPI_Send(&word, 1, MPI_CHAR, late, 0, MPI_COMM_WORLD);
}

}  // namespace carpool::tests
