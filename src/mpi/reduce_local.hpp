// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// MPI_Reduce_local, also where a program has no MPI_COMM_SELF.
int reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op);

}  // namespace carpool::mpi
