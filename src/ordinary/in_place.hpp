// SPDX-License-Identifier: MIT
#pragma once

#include "ordinary/arguments.hpp"

#include <mpi.h>

namespace carpool::ordinary {

/// Throws MPI_ERR_BUFFER if MPI_IN_PLACE is given for a buffer that MPI requires. Arguments that
/// are not significant on this rank may have any value.
void check_in_place(const CollectiveArguments& arguments, int rank);

/// The call with MPI_IN_PLACE where a rank gives one address for its own block of both sides: hosts
/// that accept this take it for that. Local.
CollectiveArguments in_place_where_equal(CollectiveArguments arguments, MPI_Comm comm);

}  // namespace carpool::ordinary
