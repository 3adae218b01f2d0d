#pragma once

#include "routing/plan.hpp"
#include "schedule/operation.hpp"
#include "schedule/verify.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// What MPI says must arrive: position i of rank R holds what rank R - N[i] sends, block i of it
/// for alltoall, its only block for allgather. Independent of any plan. Blocks without bytes count
/// as nothing.
Postcondition expected(routing::Pattern pattern, const topology::Grid& grid,
                       const topology::Neighborhood& neighborhood,
                       std::span<const std::int64_t> block_bytes);

/// What a reduction must leave in its only position: the blocks of all sources in their order,
/// repetitions included; nothing on a rank without a source.
Postcondition expected_sums(Operation operation, const topology::Grid& grid,
                            const topology::Neighborhood& neighborhood, std::int64_t bytes);

}  // namespace carpool::schedule
