#pragma once

#include "mpi/tally.hpp"
#include "schedule/resized.hpp"
#include "topology/graph.hpp"

#include <cstdint>

namespace carpool::call {

/// What one rank has of blocks for others, or from them if these are more; the rest of the tally is
/// that of nobody.
/// @param own      sizes per edge
/// @param longest  that is combined with others
mpi::Tally tally_of_blocks(const topology::Adjacency& edges, int rank,
                           const schedule::SlotBytes& own, std::int64_t longest);

}  // namespace carpool::call
