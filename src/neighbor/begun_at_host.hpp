#pragma once

#include "neighbor/call.hpp"
#include "neighbor/topology.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// A nonblocking call by MPI's own collective, where it must go by that (call/host_begun.hpp).
/// Throws what is wrong with this rank's arguments. @note Collective, and waits for no other rank.
/// @param function  the user has called
MPI_Request begun_at_host(const char* function, MPI_Comm comm, const NeighborArguments& arguments);

/// The same on a topology that the communicator does not keep.
MPI_Request begun_at_host(const char* function, MPI_Comm comm, const Topology& topology,
                          const NeighborArguments& arguments);

}  // namespace carpool::neighbor
