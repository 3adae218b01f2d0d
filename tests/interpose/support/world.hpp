// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace interposed {

inline int class_of(int code) {
    int result = 0;
    MPI_Error_class(code, &result);
    return result;
}

inline int rank_in_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int ranks_of_world() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

}  // namespace interposed
