// SPDX-License-Identifier: MIT
#pragma once

#include "routing/partial_sums.hpp"
#include "routing/plan.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>

namespace carpool::schedule {

/// The schedule of a reduction on one rank of a grid: the plan of an allgather, run backwards.
///
/// Like place(), it leaves out what would start or end off a mesh. A rank without any source has
/// nothing to sum, and its receive slot stays untouched.
///
/// @param tree   the plan that `sums` were made from
/// @param bytes  size of every block
Schedule place_sums(const routing::Plan& tree, const routing::PartialSums& sums,
                    const topology::Grid& grid, const topology::Neighborhood& neighborhood,
                    int rank, Operation operation, std::int64_t bytes);

/// The same without partial sums, for operators that do not commute. `gathered` is the schedule of
/// any plan of the blocks; when all have arrived they are summed in the order of positions.
Schedule sum_at_end(Schedule gathered, std::int64_t bytes);

}  // namespace carpool::schedule
