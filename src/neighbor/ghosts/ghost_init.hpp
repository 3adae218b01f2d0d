// SPDX-License-Identifier: MIT
#pragma once

#include "call/bound_call.hpp"
#include "call/pipeline.hpp"
#include "engine/request.hpp"
#include "neighbor/ghosts/ghost_call.hpp"
#include "neighbor/ghosts/routed_map.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// A persistent request for an update or a reduction.
/// @note Collective over the map's communicator. Throws the same error on all ranks.
std::unique_ptr<engine::Request> initialised(const std::shared_ptr<RoutedMap>& map,
                                             const GhostArguments& arguments, MPI_Info info);

/// A blocking or nonblocking update or reduction, which is under way on return.
/// @note Collective over the map's communicator. Throws an error in the arguments on this rank.
std::unique_ptr<engine::Request> once(const std::shared_ptr<RoutedMap>& map,
                                      const GhostArguments& arguments);

/// A call that was bound before to the same arguments; null if there is none. Local.
std::shared_ptr<call::BoundCall> filled(RoutedMap& map, const GhostArguments& arguments);

}  // namespace carpool::neighbor
