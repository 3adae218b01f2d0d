#pragma once

#include "choose/load.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::choose {

/// What a round of a plan on a grid asks of every rank that takes part in it.
struct RoundLoad {
    int phase;  ///< in which it starts when its blocks are there
    std::int64_t blocks;
    std::int64_t bytes;
};

/// One for each round, with its blocks, which have no bytes yet.
std::vector<RoundLoad> rounds_of(const routing::Plan& plan);

/// Of routes on a grid, when no block is pruned; the same on all ranks. Where these are on several
/// nodes, each of a rank's hops is within its node or leaves it. So the busiest rank is looked for:
/// among all or, of many, some that are spread evenly.
Load load_of(const routing::Plan& plan, std::span<const RoundLoad> rounds,
             const topology::Grid& grid, const Machine& machine);

}  // namespace carpool::choose
