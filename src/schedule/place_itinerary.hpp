// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// The schedule of one rank, from its part in the routes of a graph: stops become slots. A stop
/// where a block is delivered is its receive slot, any other a temporary slot.
///
/// A reduction is the itinerary of an allgather on the transposed graph, run backwards, as
/// place_sums() does with plans. Where the allgather would send the block of a stop to several
/// ranks, the reduction sums what it receives from them; where it would deliver a block, the
/// summand is this rank's own block for that position.
///
/// @param edges   of this rank, not transposed for reductions
/// @param phases  the largest number of phases in the itinerary of any rank
/// @param bytes   size of every block, or of each by its label; resized() adapts it to other sizes
Schedule place(const routing::Itinerary& itinerary, Operation operation,
               const topology::Adjacency& edges, std::int64_t phases,
               std::span<const std::int64_t> bytes);

/// The schedule of one rank for an alltoall or a multicast whose itinerary knows the sizes of
/// blocks (Itinerary::weigh). Send slot k is block k of the itinerary, in a multicast that of label
/// k.
/// @param positions  how many positions this rank receives
/// @param unit  how many times longer blocks are than the itinerary says; for 0 there is no message
Schedule place_sized(const routing::Itinerary& itinerary, int positions, std::int64_t unit = 1);

}  // namespace carpool::schedule
