// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::choose {

/// The load of one round of a plan on a grid, on every rank that takes part in it.
struct RoundLoad {
    int phase;  ///< the first in which it can start, when its blocks are there
    std::int64_t blocks;
    std::int64_t bytes;
};

/// The load of each round, with its number of blocks but no bytes yet.
std::vector<RoundLoad> rounds_of(const routing::Plan& plan);

/// The load of a plan on a grid, if no block is pruned; the same on all ranks. On several nodes,
/// each hop to a rank, and from it, stays within its node or leaves it. So the rank that sends or
/// receives most is searched for: among all ranks or, if they are many, among a sample of them.
Load load_of(const routing::Plan& plan, std::span<const RoundLoad> rounds,
             const topology::Grid& grid, const Machine& machine);

}  // namespace carpool::choose
