#pragma once

#include "engine/communication.hpp"
#include "group/arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::group {

/// Has MPI a persistent collective for this call that may stand for ours? Not for sums, whose bits
/// would depend on it. Local. @pre the arguments have been read, without a mistake
bool has_host_form(const Arguments& arguments, int rank, int ranks);

/// @param rehearses  on memory of its own, not the user's
/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const Arguments& arguments, int rank, int ranks,
                                                 MPI_Comm comm, bool rehearses);

/// Calls MPI's own blocking collective, and gives its code. @note Collective
/// @pre the user's arrays are narrow (alike.hpp)
int call_at_host(const Arguments& arguments, MPI_Comm comm);

/// The same as a communication. @pre the user's arrays outlive it
std::unique_ptr<engine::Communication> host_call(const Arguments& arguments, MPI_Comm comm);

}  // namespace carpool::group
