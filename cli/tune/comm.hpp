// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace tune {

inline int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/// @note Collective over comm.
inline double summed(double number, MPI_Comm comm) {
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, comm);
    return number;
}

/// The largest number of all ranks. @note Collective over comm.
inline double most(double number, MPI_Comm comm) {
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, comm);
    return number;
}

/// The smallest number of all ranks. @note Collective over comm.
inline int least(int number, MPI_Comm comm) {
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MIN, comm);
    return number;
}

}  // namespace tune
