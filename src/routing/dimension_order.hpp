#pragma once

#include "routing/axis.hpp"
#include "routing/split.hpp"

#include <vector>

namespace carpool::routing {

/// The order of dimensions in which an allgather tree has the fewest moves.
///
/// Exact for d <= 6, or 12 if t * 2^d is small: the moves of a tree level depend only on the set of
/// dimensions before it and the dimension itself, so all d! orders are compared by 2^d sets, in O(t
/// 2^d). Beyond that by ascending number of distinct coordinates, the heuristic of [2] §3.2.
std::vector<int> least_volume_order(const std::vector<Axis>& axes, const Split& split);

}  // namespace carpool::routing
