// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

namespace carpool::routing {

/// One hop along a dimension. Hops of one level run in one phase.
struct Step {
    int level;
    int hop;
};

/// How a rule divides a coordinate into hops: steps of ascending level whose hops sum to it.
/// Equal (level, hop) pairs of different coordinates share a round.
using Split = std::function<std::vector<Step>(int coordinate)>;

}  // namespace carpool::routing
