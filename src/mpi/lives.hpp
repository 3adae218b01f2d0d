#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// Is it a communicator, and has not been freed, as far as that can be seen? Open MPI would read
/// memory that is no communicator's any more, but its table of Fortran's handles knows those that
/// live. MPICH looks itself, in every call.
inline bool lives(MPI_Comm comm) {
    return comm != MPI_COMM_NULL && MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm;
}

}  // namespace carpool::mpi
