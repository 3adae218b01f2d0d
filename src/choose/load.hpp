#pragma once

#include "choose/cost_model.hpp"
#include "routing/itinerary.hpp"

#include <cstdint>

namespace carpool::choose {

/// What the routes of a graph ask of the rank that has most to do, of each kind.
struct Load {
    std::int64_t messages = 0;  ///< sent or received, whichever is more
    std::int64_t blocks = 0;    ///< in them
    std::int64_t phases = 0;
    std::int64_t bytes = 0;  ///< in the blocks, where their sizes are known
};

Load load_of(const routing::Itinerary& itinerary);

/// Of each kind the more: the load of the busier of two ranks.
Load most(const Load& a, const Load& b);

/// messages * alpha + bytes * beta + phases * sigma, in seconds.
/// @param block_bytes  of every block, where sizes are not known
double estimate(const CostModel& model, const Load& load, std::int64_t block_bytes);

}  // namespace carpool::choose
