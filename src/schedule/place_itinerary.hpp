#pragma once

#include "routing/itinerary.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// Places the part of one rank in the routes of a graph: slots for stops. A stop where a block is
/// delivered is its receive slot, any other a temporary one.
///
/// A reduction is the itinerary of an allgather on the transposed graph, run backwards, as
/// place_sums() does with plans. What would leave a stop for several ranks is the sum of what comes
/// from them; a delivery is this rank's own block for that position.
///
/// @param edges  of this rank, as they are: not transposed for reductions
/// @param phases  the most that any rank's itinerary has
/// @param bytes   size of every block, or of each by its label; resized() makes it one of others
Schedule place(const routing::Itinerary& itinerary, Operation operation,
               const topology::Adjacency& edges, std::int64_t phases,
               std::span<const std::int64_t> bytes);

}  // namespace carpool::schedule
