// SPDX-License-Identifier: MIT
#pragma once

#include "neighbor/call.hpp"
#include "neighbor/topology/topology.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// Begins a nonblocking call as a nonblocking collective of the host MPI, on a communicator that
/// needs this (call/host_nonblocking_call.hpp). Throws an error if this rank's arguments are wrong.
/// @note Collective, but waits for no other rank.
/// @param function  the function that the user called
MPI_Request begun_at_host(const char* function, MPI_Comm comm, const NeighborArguments& arguments);

/// The same on a topology that is not attached to the communicator.
MPI_Request begun_at_host(const char* function, MPI_Comm comm, const Topology& topology,
                          const NeighborArguments& arguments);

}  // namespace carpool::neighbor
