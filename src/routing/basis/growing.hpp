#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"

#include <cstddef>

namespace carpool::routing {

/// Looks for a basis of vectors from its first step on: the next one is that which leads from the
/// sums there are to most targets that are none yet; of equal ones, between most targets. What
/// halving needs, pairs that lie alike, comes by itself among many sums. Bounded and without
/// chance.
/// @param most_steps  gives up beyond
void offer_by_growing(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice);

}  // namespace carpool::routing
