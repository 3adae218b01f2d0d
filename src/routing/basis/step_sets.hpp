#pragma once

#include "routing/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace carpool::routing {

/// Some steps of a basis, a bit for each; a value takes them the lowest first.
using StepSet = std::uint32_t;

constexpr std::size_t most_steps_in_set = std::numeric_limits<StepSet>::digits;

/// One set for each value, and what all of them make a rank send.
struct TakenSets {
    std::vector<StepSet> of_value;
    std::int64_t volume = 0;
};

/// Takes for each value one of the sets that sum to it: for alltoall the one of fewest steps; for
/// allgather what adds fewest stops to those of values before it, those with few steps first.
///
/// @param sets  per value at least one
/// @param blocks  per value, how many travel by it
TakenSets taken(const std::vector<std::vector<StepSet>>& sets, std::span<const std::int64_t> blocks,
                Pattern pattern);

/// Steps of which each waits for a block of the one before.
int longest_chain(const std::vector<StepSet>& sets, std::size_t steps);

/// The targets that are not among the sums. @pre both ascend
std::vector<std::int64_t> missing_from(const std::vector<std::int64_t>& sums,
                                       const std::vector<std::int64_t>& targets);

}  // namespace carpool::routing
