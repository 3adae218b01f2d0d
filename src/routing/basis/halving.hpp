// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"

#include <cstddef>

namespace carpool::routing {

/// Looks for a basis of vectors from its last step to its first: a step between many pairs of
/// points is subtracted from one point of each pair, which leaves half of the points at best. When
/// one point is left, all points are sums of steps from there.
///
///   (0,0) (1,1) (2,2) (3,3)  ── less (1,1) ──▶  (0,0) (2,2)  ── less (2,2) ──▶  (0,0)
///
/// If that point is not zero, the steps that lead from it to zero are negated: negating steps that
/// sum to X shifts all sums by -X.
///
/// This is a beam search over the most frequent steps, in O(t log t) per step tried; the work is
/// bounded and the result deterministic.
/// @param most_steps  the search gives up beyond this number
void offer_by_halving(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice);

}  // namespace carpool::routing
