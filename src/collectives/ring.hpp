// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/script.hpp"

#include <vector>

namespace carpool::collectives {

/// Each part goes once round the ring of ranks, and each rank adds its own. Returns the last two
/// summands of part r on rank r. Takes P - 1 phases.
/// @param own  one part for each rank
Parts sum_round_ring(Script& script, const Parts& own);

/// The parts of each rank go once round the ring. Takes P - 1 phases.
/// @param held  where the parts of each rank lie, or are to be received
void collect_round_ring(Script& script, const std::vector<Parts>& held);

}  // namespace carpool::collectives
