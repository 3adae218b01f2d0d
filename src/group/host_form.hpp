#pragma once

#include "engine/communication.hpp"
#include "group/arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::group {

/// Has MPI a persistent collective for this call that may stand for ours? Not for sums, whose bits
/// would depend on it. Local. @pre the arguments have been read, without a mistake
bool has_host_form(const CollectiveArguments& arguments, int rank, int ranks);

/// @param rehearses  on memory of its own, not the user's
/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const CollectiveArguments& arguments, int rank,
                                                 int ranks, MPI_Comm comm, bool rehearses);

/// MPI's own blocking collective for a call of one count on each side. @note Collective when it
/// starts.
std::unique_ptr<engine::Communication> host_call(const CollectiveArguments& arguments,
                                                 MPI_Comm comm);

}  // namespace carpool::group
