#pragma once

#include "neighbor/routes.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"

#include <vector>

namespace carpool::neighbor {

/// With other arrangements of the ranks in those virtual topologies that turn out to be overloaded
/// once they are planned: all arrangements that are not planned yet or, where all are, the best if
/// it is clearly better.
std::vector<Routes::Key> with_rearranged(std::vector<Routes::Key> keys, const Topology& topology,
                                         const NeighborSettings& settings);

}  // namespace carpool::neighbor
