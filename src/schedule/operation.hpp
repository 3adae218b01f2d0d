// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace carpool::schedule {

/// An operation on the blocks of a neighborhood.
enum class Operation {
    alltoall,              ///< block i to neighbor i
    allgather,             ///< one block to all neighbors
    reduce,                ///< one block to all neighbors, each of which sums what it receives
    reduce_scatter_block,  ///< block i to neighbor i, which sums what it receives
};

/// All operations.
std::span<const Operation> operations();

bool reduces(Operation operation);

/// Whether a rank sends one block to all neighbors, not a block to each.
bool sends_one_block(Operation operation);

/// The pattern that the operation is planned as. Reductions run the tree of an allgather backwards.
routing::Pattern pattern_of(Operation operation);

/// "alltoall", "allgather", "reduce" or "reduce_scatter_block".
std::string_view name_of(Operation operation);

/// The operation of that name, if there is one.
std::optional<Operation> find_operation(std::string_view name);

}  // namespace carpool::schedule
