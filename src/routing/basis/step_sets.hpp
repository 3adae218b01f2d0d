// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace carpool::routing {

/// A set of steps of a basis, one bit for each; a value takes its steps lowest first.
using StepSet = std::uint32_t;

constexpr std::size_t most_steps_in_set = std::numeric_limits<StepSet>::digits;

/// One set for each value, and the volume that a rank sends with these sets.
struct TakenSets {
    std::vector<StepSet> of_value;
    std::int64_t volume = 0;
};

/// Chooses for each value one of the sets that sum to it. For alltoall it is the set with the
/// fewest steps; for allgather, where values with few steps come first, it is the set that adds the
/// fewest stops to those of the values before it.
///
/// @param sets  per value at least one
/// @param blocks  per value, the number or total weight of the blocks that have it
TakenSets taken(const std::vector<std::vector<StepSet>>& sets, std::span<const std::int64_t> blocks,
                Pattern pattern);

/// The length of the longest chain of steps in which each waits for a block of the one before.
int longest_chain(const std::vector<StepSet>& sets, std::size_t steps);

/// The targets that are not among the sums. @pre both are ascending
std::vector<std::int64_t> missing_from(const std::vector<std::int64_t>& sums,
                                       const std::vector<std::int64_t>& targets);

}  // namespace carpool::routing
