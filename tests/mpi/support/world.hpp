// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace carpool::tests {

inline int rank_in(MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

inline int size_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

inline int world_rank() { return rank_in(MPI_COMM_WORLD); }
inline int world_size() { return size_of(MPI_COMM_WORLD); }

/// True on all ranks if it is true on one.
/// @note Collective over MPI_COMM_WORLD.
inline bool anywhere(bool here) {
    int flag = here;
    MPI_Allreduce(MPI_IN_PLACE, &flag, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return flag != 0;
}

/// True if all ranks give the same value.
/// @note Collective over MPI_COMM_WORLD.
inline bool same_everywhere(int value) {
    int both[2] = {value, -value};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return both[0] == -both[1];
}

}  // namespace carpool::tests
