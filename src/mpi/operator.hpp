#pragma once

#include "mpi/agreement.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// Throws MPI_ERR_OP unless op can reduce blocks of that type.
/// @pre the type is committed
void check_op(MPI_Op op, MPI_Datatype type);

/// Which operator it is, and whether it commutes: of one of the user's other ranks can know no
/// more.
Claim claim_of(MPI_Op op, bool commutes);

/// Has the user made it?
bool is_users(MPI_Op op);

/// @pre op is valid
bool commutes(MPI_Op op);

/// Has a reduction the same bits in whatever order it is done? One of integers has, by an operator
/// of MPI's. @pre the type is committed
bool is_exact(MPI_Op op, MPI_Datatype type);

}  // namespace carpool::mpi
