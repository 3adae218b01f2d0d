// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"
#include "schedule/schedule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// The schedule of one rank of a grid, from a plan that is relative to its origin: hops become
/// ranks, stops become slots.
///
/// Blocks that would start or end off a mesh are left out; both ends know this from coordinates,
/// without a message. Blocks without bytes are left out, too. A stop where a block is delivered is
/// its receive slot, any other a temporary slot: a receive slot never holds a block in transit,
/// since the receive slot of a block without a source must stay untouched.
///
/// @param block_bytes  size of each send block of the plan
/// @pre routes lead through the box between origin and target, so they never leave a mesh
Schedule place(const routing::Plan& plan, const topology::Grid& grid,
               const topology::Neighborhood& neighborhood, int rank,
               std::span<const std::int64_t> block_bytes);

}  // namespace carpool::schedule
