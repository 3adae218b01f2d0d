// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/trade_off.hpp"
#include "routing/dimension_wise.hpp"
#include "routing/plan.hpp"
#include "topology/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// A division of legs into groups of consecutive ones. Each group becomes one leg with a hop for
/// each sum that occurs: more rounds, but fewer phases and less volume.
///
///   {1 .. 7}    (1) (2) (4)    3 rounds, 3 phases, alltoall volume 12
///               (1 2) (4)      4 rounds, 2 phases, 10: by 1, 2, 3, then by 4
///               (1 2 4)        7 rounds, 1 phase, 7
struct Grouping {
    std::vector<std::size_t> ends;  ///< index of the leg after each group, ascending
    Counts counts;                  ///< upper bounds of its plan's counts
};

/// Groupings of which none is better than another, a few for each number of phases, found as
/// shortest paths over the legs. There are none if the neighbors have so many different routes that
/// counting them would take long.
///
/// @param weights  per neighbor; none if all are 1
std::vector<Grouping> groupings(const std::vector<Leg>& legs, Pattern pattern,
                                std::span<const std::int64_t> weights);

/// The legs of a grouping. Hops take the shorter way around a torus.
std::vector<Leg> grouped(const topology::Grid& grid, const std::vector<Leg>& legs,
                         const Grouping& grouping);

}  // namespace carpool::routing
