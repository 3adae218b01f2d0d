#pragma once

#include "collectives/script.hpp"

namespace carpool::collectives {

/// Each part goes straight to its rank: part r to rank r. Returns what is to be summed there, in
/// the order of ranks. Takes one phase. @param own  one part for each rank
Parts sum_spread(Script& script, const Parts& own);

}  // namespace carpool::collectives
