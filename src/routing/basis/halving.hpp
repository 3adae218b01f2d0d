#pragma once

#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"

#include <cstddef>

namespace carpool::routing {

/// Looks for a basis of vectors from its last step to its first: a step between many pairs of
/// points is taken away from one point of each pair, so half of them remain at best. When one point
/// is left, all are sums of steps from there.
///
///   (0,0) (1,1) (2,2) (3,3)  ── less (1,1) ──▶  (0,0) (2,2)  ── less (2,2) ──▶  (0,0)
///
/// Where that point is not zero, the steps that would lead back from it are turned around: negating
/// some that sum to X moves all sums by -X.
///
/// A beam search over the commonest steps, O(t log t) per step tried; bounded and without chance.
/// @param most_steps  gives up beyond
void offer_by_halving(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice);

}  // namespace carpool::routing
