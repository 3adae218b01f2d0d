#pragma once

#include "collectives/script.hpp"

namespace carpool::collectives {

/// Each rank sends part r directly to rank r. Returns the summands of this rank's part, in the
/// order of ranks. Takes one phase.
/// @param own  one part for each rank
Parts sum_spread(Script& script, const Parts& own);

/// Each rank sends its part to all ranks, and makes the sum of all parts its result.
void spread_to_all(Script& script, const Part& own);

}  // namespace carpool::collectives
