// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"
#include "schedule/operation.hpp"
#include "schedule/verify.hpp"
#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::schedule {

/// What must arrive by MPI's standard: position i of rank R holds what rank R - N[i] sends, block i
/// of it for alltoall, its only block for allgather. This does not depend on any plan. Blocks
/// without bytes count as nothing.
Postcondition expected(routing::Pattern pattern, const topology::Grid& grid,
                       const topology::Neighborhood& neighborhood,
                       std::span<const std::int64_t> block_bytes);

/// What a reduction must leave in its only position: the blocks of all sources in their order,
/// repetitions included; nothing on a rank without a source.
Postcondition expected_sums(Operation operation, const topology::Grid& grid,
                            const topology::Neighborhood& neighborhood, std::int64_t bytes);

/// What must arrive on one rank of a grid. @param block_bytes  the size of each send block
std::vector<Content> expected_at(int rank, Operation operation, const topology::Grid& grid,
                                 const topology::Neighborhood& neighborhood,
                                 std::span<const std::int64_t> block_bytes);

/// The same as expected() for a graph: the block of each edge arrives at the edge with the same
/// label, and nothing else does. Blocks of rank r have the sizes `block_bytes[r]`, one for each of
/// its edges, or one for allgather and reductions.
Postcondition expected(Operation operation, const topology::Graph& graph,
                       std::span<const std::vector<std::int64_t>> block_bytes);

}  // namespace carpool::schedule
