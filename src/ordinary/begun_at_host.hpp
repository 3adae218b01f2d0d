// SPDX-License-Identifier: MIT
#pragma once

#include "ordinary/arguments.hpp"

#include <mpi.h>

namespace carpool::ordinary {

/// Begins a nonblocking call as a nonblocking collective of the host MPI, on a communicator that
/// needs this (call/host_nonblocking_call.hpp). Throws an error if this rank's arguments are wrong.
/// @note Collective, but waits for no other rank.
/// @param function  the function that the user called
MPI_Request begun_at_host(const char* function, MPI_Comm comm,
                          const CollectiveArguments& arguments);

}  // namespace carpool::ordinary
