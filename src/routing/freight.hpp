#pragma once

#include "routing/itinerary.hpp"
#include "routing/program.hpp"

#include <vector>

namespace carpool::routing {

/// Blocks that a rank hands over to a friend, in one ride, for targets that both know.
struct Freight {
    int phase;
    std::vector<BlockName> blocks;
    std::vector<std::vector<int>> bundles;  ///< per target, which of the blocks it is to get
};

/// As a message says it: the phase, how many blocks, their names, and each bundle with its size.
Words written(const Freight& freight);

Freight read_freight(const Words& words);

}  // namespace carpool::routing
