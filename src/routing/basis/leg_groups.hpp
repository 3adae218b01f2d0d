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

/// Legs in groups of consecutive ones, of which each becomes one leg with a hop for each sum that
/// occurs: more rounds, but fewer phases and less volume.
///
///   {1 .. 7}    (1) (2) (4)    3 rounds, 3 phases, alltoall volume 12
///               (1 2) (4)      4 rounds, 2 phases, 10: by 1, 2, 3, then by 4
///               (1 2 4)        7 rounds, 1 phase, 7
struct Grouping {
    std::vector<std::size_t> ends;  ///< the leg after each group, ascending
    Counts counts;                  ///< no less than those of its plan
};

/// Groupings of which none is better than another, a few for each number of phases: shortest paths
/// over the legs. None where there are so many different routes that to count them takes long.
///
/// @param weights  per neighbor; none if all are 1
std::vector<Grouping> groupings(const std::vector<Leg>& legs, Pattern pattern,
                                std::span<const std::int64_t> weights);

/// The legs of a grouping. Hops take the shorter way round a torus.
std::vector<Leg> grouped(const topology::Grid& grid, const std::vector<Leg>& legs,
                         const Grouping& grouping);

}  // namespace carpool::routing
