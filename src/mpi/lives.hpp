#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// Is this a communicator that has not been freed, as far as that can be seen? Open MPI would read
/// memory of a communicator that is gone, but its table of Fortran handles contains only those that
/// still exist. MPICH checks that itself, in every call.
inline bool lives(MPI_Comm comm) {
#ifdef MPI_ABI_VERSION
    return comm != MPI_COMM_NULL && MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm;
#else
    return comm != MPI_COMM_NULL && MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm;
#endif
}

}  // namespace carpool::mpi
