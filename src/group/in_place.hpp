#pragma once

#include "group/arguments.hpp"

namespace carpool::group {

bool in_place(const arguments::Side& side);

/// Throws MPI_ERR_BUFFER where MPI_IN_PLACE stands for a buffer that MPI wants to see. What is not
/// significant on this rank may be anything.
void check_in_place(const CollectiveArguments& arguments, bool is_root);

}  // namespace carpool::group
