#pragma once

#include "engine/communication.hpp"
#include "neighbor/call.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// Has MPI a persistent collective for this call on a communicator of such a topology? Local.
/// @pre check_pointers
bool has_host_form(const Topology& topology, const Arguments& arguments);

/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const Topology& topology,
                                                 const Arguments& arguments, MPI_Comm comm);

}  // namespace carpool::neighbor
