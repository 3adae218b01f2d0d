// SPDX-License-Identifier: MIT
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

/// The handle of a communicator as Fortran has it, and back.
#ifdef MPI_ABI_VERSION
inline int fortran_number(MPI_Comm comm) { return MPI_Comm_toint(comm); }
inline MPI_Comm comm_with(int number) { return MPI_Comm_fromint(number); }
#else
inline MPI_Fint fortran_number(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
inline MPI_Comm comm_with(MPI_Fint number) { return MPI_Comm_f2c(number); }
#endif

/// Does lives() see that a communicator has been freed? Open MPI would read memory of one that is
/// gone, but its table of Fortran handles contains only those that still exist. MPICH checks
/// handles itself, in every call.
#ifdef OPEN_MPI
inline constexpr bool freed_are_seen = true;
#else
inline constexpr bool freed_are_seen = false;
#endif

/// Is this a communicator that has not been freed, as far as its handle shows?
inline bool lives(MPI_Comm comm) {
    if (is_missing(comm)) return false;
    return comm != MPI_COMM_NULL && comm_with(fortran_number(comm)) == comm;
}

}  // namespace carpool::mpi
