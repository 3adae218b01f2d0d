// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <vector>

namespace carpool::schedule {

/// The blocks of an alltoall on one rank, some of which are sent directly, not along their routes.
struct DividedBlocks {
    std::vector<Round> straight;  ///< the long ones, each from its source to its target; phase 0
    SlotBytes combined;           ///< sizes of blocks on their routes: 0 for the long ones
};

/// Takes the blocks that are longer than `longest` off their routes ([5] §3.2). Both ends of a
/// block know its size, so they need not agree.
/// @param own  sizes of this rank's blocks, one per edge; or one for all edges, none of which is
///             longer
DividedBlocks divided(const topology::Adjacency& edges, int rank, SlotBytes own,
                      std::int64_t longest);

/// Adds the long blocks to the schedule of the others: at the beginning of the message that their
/// two ranks have in phase 0 anyway, or else in messages ahead of all others.
Schedule with_straight(Schedule schedule, std::vector<Round> straight);

}  // namespace carpool::schedule
