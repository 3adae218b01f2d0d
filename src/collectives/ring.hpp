#pragma once

#include "collectives/script.hpp"

namespace carpool::collectives {

/// Each part goes once round the ring of ranks, which add theirs. Part r ends at rank r: its last
/// two summands. Takes P - 1 phases. @param own  one part for each rank
Parts sum_round_ring(Script& script, const Parts& own);

/// The part of each rank goes once round the ring. Takes P - 1 phases.
/// @param parts  one for each rank, where it lies or shall come to lie
void collect_round_ring(Script& script, const Parts& parts);

}  // namespace carpool::collectives
