// SPDX-License-Identifier: MIT
#pragma once

#include "engine/communication.hpp"
#include "neighbor/call.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// True if the host MPI has a persistent collective for this call on a communicator with such a
/// topology. Local.
/// @pre check_pointers
bool has_host_form(const Topology& topology, const NeighborArguments& arguments);

/// The persistent collective of the host MPI for a call.
/// @param rehearses  if true, it uses memory of its own instead of the user's
/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const Topology& topology,
                                                 const NeighborArguments& arguments, MPI_Comm comm,
                                                 bool rehearses);

}  // namespace carpool::neighbor
