#pragma once

#include "mpi/shape.hpp"
#include "mpi/tally.hpp"
#include "schedule/resized.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <span>

namespace carpool::arguments {

/// What one rank has of blocks for others, or from them if these are more; the rest of the tally is
/// that of nobody.
/// @param own      sizes per edge
/// @param longest  that is combined with others
mpi::Tally tally_of_blocks(const topology::Adjacency& edges, int rank,
                           const schedule::SlotBytes& own, std::int64_t longest);

/// Of all blocks of both sides; far too many to hold are as many as can be said.
std::int64_t bytes_of(std::span<const mpi::Block> send, std::span<const mpi::Block> recv);

}  // namespace carpool::arguments
