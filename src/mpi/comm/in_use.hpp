// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/use.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// The slow part of in_use(), which asks MPI.
bool begins_use(MPI_Comm comm);

/// Does MPI run, as far as a call on comm shows? If so, this process's use of it has begun after
/// this. No function of MPI tells whether there is a session. But a communicator that is none of
/// MPI's own, before MPI_Init or after MPI_Finalize, can only be that of one.
/// @param comm  MPI_COMM_NULL for a call that is on none
inline bool in_use(MPI_Comm comm) { return Use::runs() || begins_use(comm); }

}  // namespace carpool::mpi
