// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>

namespace carpool::schedule {

/// The length of one part in a length header.
using LengthHeaderEntry = std::int64_t;

/// The same schedule for blocks whose sizes only their two ends know. Messages have length headers,
/// from which a rank that forwards a block learns its size. A block longer than `longest` has its
/// length there only: it goes from its source to its target in a rendezvous message.
/// @param schedule  with `longest` bytes in every block
/// @param edges     of this rank
/// @param own       sizes of this rank's blocks: those sent, one for each edge or one for all, and
///                  those received
Schedule with_length_headers(Schedule schedule, std::int64_t longest,
                             const topology::Adjacency& edges, int rank, const SlotBytes& own);

}  // namespace carpool::schedule
