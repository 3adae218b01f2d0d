#pragma once

#include "routing/itinerary.hpp"
#include "routing/program.hpp"

#include <vector>

namespace carpool::routing {

/// Blocks that a rank hands over to a friend in one message, for targets that both know.
struct Handover {
    int phase;
    std::vector<BlockName> blocks;
    std::vector<std::vector<int>> bundles;  ///< per target, the indices of its blocks
};

/// The words of the message: the phase, the number of blocks, their names, and each bundle preceded
/// by its size.
Words written(const Handover& handover);

Handover read_handover(const Words& words);

}  // namespace carpool::routing
