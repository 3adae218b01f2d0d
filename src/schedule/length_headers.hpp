#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>

namespace carpool::schedule {

/// What a length header says of a part.
using LengthHeaderEntry = std::int64_t;

/// The same for blocks whose sizes only their two ends know: messages have length headers, from
/// which who passes a block on learns its size. A block longer than `longest` is only told of
/// there: it goes from its source to its target by itself, in a message that is apart.
/// @param schedule  with `longest` bytes in every block
/// @param edges     of this rank
/// @param own       sizes of its blocks: sent along each edge, or one along all; received
Schedule with_length_headers(Schedule schedule, std::int64_t longest,
                             const topology::Adjacency& edges, int rank, const SlotBytes& own);

}  // namespace carpool::schedule
