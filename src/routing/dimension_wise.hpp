#pragma once

#include "routing/plan.hpp"
#include "routing/split.hpp"
#include "topology/neighborhood.hpp"

namespace carpool::routing {

/// Routes every block one dimension after the other, each coordinate as the split divides it.
///
/// The planner of torus ([1] §3), cartesian ([1] §5, [2] §3) and every rule that differs from them
/// in the split alone. Alltoall moves each block by itself; allgather moves one block along the
/// tree of common prefixes. O(td) for alltoall plus one operation per move.
Plan plan_dimension_wise(const topology::Neighborhood& neighborhood, Pattern pattern,
                         const Split& split);

}  // namespace carpool::routing
