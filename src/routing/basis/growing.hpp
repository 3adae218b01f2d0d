// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"

#include <cstddef>

namespace carpool::routing {

/// Looks for a basis of vectors from its first step to its last. The next step is the one that
/// leads from the present sums to the most targets that are not sums yet; among equal ones, the one
/// that leads between the most targets. Halving needs pairs with equal differences; among many sums
/// such pairs occur by themselves. The work is bounded and the result deterministic.
/// @param most_steps  the search gives up beyond this number
void offer_by_growing(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice);

}  // namespace carpool::routing
