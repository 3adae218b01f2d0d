// SPDX-License-Identifier: MIT
#pragma once

#include "routing/axis.hpp"
#include "routing/split.hpp"

#include <vector>

namespace carpool::routing {

/// The order of dimensions in which an allgather tree has the fewest moves.
///
/// It is exact for d <= 6, and for d <= 12 if t * 2^d is small: the moves of a tree level depend
/// only on its dimension and on the set of dimensions before it, so all d! orders are compared by
/// means of 2^d sets, in O(t 2^d). Otherwise dimensions are sorted by ascending number of distinct
/// coordinates, the heuristic of [2] §3.2.
std::vector<int> least_volume_order(const std::vector<Axis>& axes, const Split& split);

}  // namespace carpool::routing
