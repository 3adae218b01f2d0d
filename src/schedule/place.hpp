#pragma once

#include "routing/plan.hpp"
#include "schedule/schedule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// Places a plan, relative to its origin, on one rank of a grid: ranks for hops, slots for stops.
///
/// Blocks that would start or end off a mesh are left out, on both ends from coordinates alone; no
/// message is needed; so are blocks without bytes. A stop where a block is delivered is its receive
/// slot, any other a temporary one: a receive slot never holds a block in transit, since a block
/// without a source must stay untouched.
///
/// @param block_bytes  size of each send block of the plan
/// @pre routes lead through the box between origin and target, so they never leave a mesh
Schedule place(const routing::Plan& plan, const topology::Grid& grid,
               const topology::Neighborhood& neighborhood, int rank,
               std::span<const std::int64_t> block_bytes);

}  // namespace carpool::schedule
