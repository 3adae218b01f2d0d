// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"

#include <vector>

namespace cli {

/// Ranks of a grid to look at where there are too many to look at all, ascending: corners, ranks at
/// edges and in the middle, and that many random ones, the same in every run.
std::vector<int> samples_of(const carpool::topology::Grid& grid, int random_ranks);

}  // namespace cli
