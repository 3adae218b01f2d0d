// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/groups.hpp"
#include "collectives/script.hpp"

#include <functional>
#include <vector>

namespace carpool::collectives {

/// Stages of one phase in which ranks send directly to all that are to have their parts.

/// Each rank sends part r directly to rank r. Returns the summands of this rank's part, in the
/// order of ranks.
/// @param own  one part for each rank
Parts sum_spread(Script& script, const Parts& own);

/// Each rank sends the parts of a group to its leader. Returns the summands of the parts of this
/// rank's group, in the order of ranks; nothing on followers.
/// @param own  the parts for each group
std::vector<Parts> sum_spread(Script& script, const Groups& groups, const std::vector<Parts>& own);

/// The leader of group 0 sends the parts of each group to its leader.
void scatter_spread(Script& script, const Groups& groups, const std::vector<Parts>& parts);

/// The parts of a group that its leader sends to a rank.
using PartsTo = std::function<Parts(int group, int to)>;

/// Each leader sends to all other ranks.
void collect_spread(Script& script, const Groups& groups, const PartsTo& parts);

/// Each rank sends its part to all ranks, and makes the sum of all parts its result.
void spread_to_all(Script& script, const Part& own);

}  // namespace carpool::collectives
