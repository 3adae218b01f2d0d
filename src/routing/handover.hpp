// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"
#include "routing/program.hpp"

#include <cstdint>
#include <vector>

namespace carpool::routing {

/// Blocks that a rank hands over to a friend in one message, for targets that both know.
struct Handover {
    int phase;
    std::vector<BlockName> blocks;
    std::vector<std::int64_t> bytes;        ///< per block, if sizes are known; else empty
    std::vector<std::vector<int>> bundles;  ///< per target, the indices of its blocks
};

/// The words of the message: the phase, the number of blocks, their names, their sizes if these are
/// known, and each bundle preceded by its length.
Words written(const Handover& handover);

/// @param sized  whether sizes are known
Handover read_handover(const Words& words, bool sized);

}  // namespace carpool::routing
