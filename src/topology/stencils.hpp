// SPDX-License-Identifier: MIT
#pragma once

#include "topology/neighborhood.hpp"

#include <span>

namespace carpool::topology {

/// All offsets with coordinates in [first, first + n), the zero vector included when it lies
/// there: the n^d neighborhoods of [2] §4.1.1 (their n and f).
Neighborhood box(int dimensions, int n, int first);

/// All offsets but zero with coordinates in [-radius, radius] ([1] §4).
Neighborhood moore(int dimensions, int radius);

/// All offsets but zero with sum of |coordinates| at most radius.
Neighborhood von_neumann(int dimensions, int radius);

/// All offsets but zero with coordinates in [0, radius] ([1] figure 2f).
Neighborhood positive_octant(int dimensions, int radius);

/// All offsets whose largest |coordinate| is one of the radii ([1] figure 4b).
Neighborhood shales(int dimensions, std::span<const int> radii);

}  // namespace carpool::topology
