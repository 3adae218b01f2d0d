#pragma once

#include "group/arguments.hpp"

#include <mpi.h>

namespace carpool::group {

/// A nonblocking call by MPI's own collective, where it must go by that (call/host_begun.hpp).
/// Throws what is wrong with this rank's arguments. @note Collective, and waits for no other rank.
/// @param function  the user has called
MPI_Request begun_at_host(const char* function, MPI_Comm comm,
                          const CollectiveArguments& arguments);

}  // namespace carpool::group
