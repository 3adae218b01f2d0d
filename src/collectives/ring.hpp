#pragma once

#include "collectives/script.hpp"

namespace carpool::collectives {

/// Each part goes once round the ring of ranks, and each rank adds its own. Returns the last two
/// summands of part r on rank r. Takes P - 1 phases.
/// @param own  one part for each rank
Parts sum_round_ring(Script& script, const Parts& own);

/// The part of each rank goes once round the ring. Takes P - 1 phases.
/// @param parts  where the part of each rank lies, or is to be received
void collect_round_ring(Script& script, const Parts& parts);

}  // namespace carpool::collectives
