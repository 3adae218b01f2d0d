#pragma once

#include "collectives/script.hpp"

namespace carpool::collectives {

/// Each part goes straight to its rank: part r to rank r. Returns what is to be summed there, in
/// the order of ranks. Takes one phase. @param own  one part for each rank
Parts sum_spread(Script& script, const Parts& own);

/// The same part goes to all ranks; each concludes the sum of all as its result.
void spread_to_all(Script& script, const Part& own);

}  // namespace carpool::collectives
