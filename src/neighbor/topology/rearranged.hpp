// SPDX-License-Identifier: MIT
#pragma once

#include "neighbor/topology/routes.hpp"
#include "neighbor/topology/settings.hpp"
#include "neighbor/topology/topology.hpp"

#include <vector>

namespace carpool::neighbor {

/// Adds keys with other arrangements of the ranks for each virtual topology that turned out to be
/// overloaded when it was planned: all arrangements that have not been planned yet or, if all have
/// been, the best one if it is clearly better.
std::vector<Routes::Key> with_rearranged(std::vector<Routes::Key> keys, const Topology& topology,
                                         const NeighborSettings& settings);

}  // namespace carpool::neighbor
