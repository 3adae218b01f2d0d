#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <vector>

namespace carpool::schedule {

/// The blocks of an alltoall on one rank, some of which do not go the ways of the others.
struct Divided {
    std::vector<Round> straight;  ///< the long ones, each from its source to its target; phase 0
    SlotBytes combined;           ///< of this rank's blocks, what the ways of the others carry
};

/// Takes the blocks that are longer than `longest` off their ways ([5] §3.2). Both ends of a block
/// know its size, so nobody has to be asked.
/// @param own  sizes of this rank's blocks, one per edge; or one for all edges, none of which is
///             longer
Divided divided(const topology::Adjacency& edges, int rank, SlotBytes own, std::int64_t longest);

/// A schedule for the others with those that go straight: first in the message that its two ranks
/// have in phase 0 anyway, or else in messages ahead of all.
Schedule with_straight(Schedule schedule, std::vector<Round> straight);

}  // namespace carpool::schedule
