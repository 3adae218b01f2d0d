// SPDX-License-Identifier: MIT
#pragma once

#include "engine/communication.hpp"
#include "ordinary/arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::ordinary {

/// True if the host MPI has a persistent collective that may replace ours for this call. Never for
/// reductions, whose bits would depend on it. Local.
/// @pre the arguments have been read, without a mistake
bool has_host_form(const CollectiveArguments& arguments, int rank, int ranks);

/// The persistent collective of the host MPI for a call.
/// @param rehearses  if true, it uses memory of its own instead of the user's
/// @pre has_host_form on all ranks. @note Collective over comm
std::unique_ptr<engine::Communication> host_form(const CollectiveArguments& arguments, int rank,
                                                 int ranks, MPI_Comm comm, bool rehearses);

}  // namespace carpool::ordinary
