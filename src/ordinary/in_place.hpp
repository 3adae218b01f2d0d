#pragma once

#include "ordinary/arguments.hpp"

namespace carpool::ordinary {

bool in_place(const arguments::Side& side);

/// Throws MPI_ERR_BUFFER if MPI_IN_PLACE is given for a buffer that MPI requires. Arguments that
/// are not significant on this rank may have any value.
void check_in_place(const CollectiveArguments& arguments, bool is_root);

}  // namespace carpool::ordinary
