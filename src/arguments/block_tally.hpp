// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/tally.hpp"
#include "mpi/types/shape.hpp"
#include "schedule/resized.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <span>

namespace carpool::arguments {

/// Tallies the blocks that one rank sends to others, or receives from them if these are more. The
/// other fields of the tally stay empty.
/// @param own      sizes per edge
/// @param longest  the longest block that is combined with others
mpi::Tally tally_of_blocks(const topology::Adjacency& edges, int rank,
                           const schedule::SlotBytes& own, std::int64_t longest);

/// The bytes of all blocks of both sides, with an upper limit far above what memory holds.
std::int64_t bytes_of(std::span<const mpi::Block> send, std::span<const mpi::Block> recv);

/// The size by which a report lists a call: the bytes that this rank sends or, if it sends none,
/// that it receives.
std::int64_t size_for_report(std::span<const mpi::Block> send, std::span<const mpi::Block> recv);

}  // namespace carpool::arguments
