#pragma once

#include "ordinary/arguments.hpp"

namespace carpool::ordinary {

/// Throws MPI_ERR_BUFFER if MPI_IN_PLACE is given for a buffer that MPI requires. Arguments that
/// are not significant on this rank may have any value.
void check_in_place(const CollectiveArguments& arguments, int rank);

}  // namespace carpool::ordinary
