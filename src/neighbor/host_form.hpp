#pragma once

#include "engine/communication.hpp"
#include "neighbor/call.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// Has MPI a persistent collective for this call on a communicator of such a topology? Local.
/// @pre check_pointers
bool has_host_form(const Topology& topology, const NeighborArguments& arguments);

/// @param rehearses  on memory of its own, not the user's
/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const Topology& topology,
                                                 const NeighborArguments& arguments, MPI_Comm comm,
                                                 bool rehearses);

/// May MPI's own blocking collectives of one count do calls on this neighborhood, as this rank
/// knows? Of a side without blocks they may want to see a type, and MPIs have mixed up two
/// directions that lead to one rank.
bool host_call_fits(const Topology& topology);

/// MPI's own blocking collective for a call of one count on each side. @note Collective when it
/// starts.
std::unique_ptr<engine::Communication> host_call(const NeighborArguments& arguments, MPI_Comm comm);

}  // namespace carpool::neighbor
