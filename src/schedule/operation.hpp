#pragma once

#include "routing/plan.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace carpool::schedule {

/// What is done with the blocks of a neighborhood.
enum class Operation {
    alltoall,              ///< block i to neighbor i
    allgather,             ///< one block to all neighbors
    reduce,                ///< one block to all neighbors, who sum what they get
    reduce_scatter_block,  ///< block i to neighbor i, who sums what it gets
};

/// All of them.
std::span<const Operation> operations();

bool reduces(Operation operation);

/// One block for each neighbor, or one for all?
bool sends_one_block(Operation operation);

/// What the operation's blocks are planned as: sums run the tree of an allgather backwards.
routing::Pattern pattern_of(Operation operation);

/// "alltoall", "allgather", "reduce" or "reduce_scatter_block".
std::string_view name_of(Operation operation);

/// The operation of that name, if there is one.
std::optional<Operation> find_operation(std::string_view name);

}  // namespace carpool::schedule
