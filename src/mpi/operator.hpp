#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// Throws MPI_ERR_OP unless op can reduce blocks of that type.
/// @pre the type is committed
void check_op(MPI_Op op, MPI_Datatype type);

/// @pre op is valid
bool commutes(MPI_Op op);

}  // namespace carpool::mpi
