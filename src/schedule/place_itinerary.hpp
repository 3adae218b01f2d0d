#pragma once

#include "routing/itinerary.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace carpool::schedule {

/// Places the part of one rank in the routes of a graph: slots for stops. A stop where a block is
/// delivered is its receive slot, any other a temporary one.
///
/// @param positions  receive slots of this rank
/// @param bytes      size of every block; resized() makes it one of different sizes
Schedule place(const routing::Itinerary& itinerary, int positions, std::int64_t bytes);

/// Places a reduction: the itinerary of an allgather on the transposed graph, run backwards, as
/// place_sums() does with plans. What would leave a stop for several ranks is the sum of what comes
/// from them; a delivery is this rank's own block for that position.
///
/// @param blocks  send blocks of this rank
Schedule place_sums(const routing::Itinerary& itinerary, Operation operation, int blocks,
                    std::int64_t bytes);

}  // namespace carpool::schedule
