#pragma once

#include "mpi/library.hpp"
#include "mpi/use.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// Is this one of the two communicators that there are between MPI_Init and MPI_Finalize alone, and
/// is it not there?
inline bool is_missing(MPI_Comm comm) {
    return Use::by_sessions() && (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) &&
           !initialized_and_not_finalized();
}

/// Is this a communicator that has not been freed, as far as that can be seen? Open MPI would read
/// memory of a communicator that is gone, but its table of Fortran handles contains only those that
/// still exist. MPICH checks that itself, in every call.
inline bool lives(MPI_Comm comm) {
    if (is_missing(comm)) return false;
#ifdef MPI_ABI_VERSION
    return comm != MPI_COMM_NULL && MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm;
#else
    return comm != MPI_COMM_NULL && MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm;
#endif
}

}  // namespace carpool::mpi
