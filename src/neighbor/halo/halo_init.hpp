// SPDX-License-Identifier: MIT
#pragma once

#include "engine/request.hpp"
#include "neighbor/halo/halo_arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// A persistent request for a halo exchange.
/// @note Collective over cartcomm. Throws the same error on all ranks.
std::unique_ptr<engine::Request> initialised(MPI_Comm cartcomm, const HaloArguments& arguments,
                                             MPI_Info info);

}  // namespace carpool::neighbor
