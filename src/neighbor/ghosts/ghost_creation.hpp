// SPDX-License-Identifier: MIT
#pragma once

#include "neighbor/ghosts/given_ghosts.hpp"
#include "neighbor/ghosts/routed_map.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// Makes a map of ghosts and plans its routes. Throws the same error on all ranks.
/// @note Collective over comm, and synchronising.
std::shared_ptr<RoutedMap> created(MPI_Comm comm, const GhostsByOwner& arguments, MPI_Info info);
std::shared_ptr<RoutedMap> created(MPI_Comm comm, const GhostsByNumber& arguments, MPI_Info info);

}  // namespace carpool::neighbor
