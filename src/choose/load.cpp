#include "choose/load.hpp"

#include <algorithm>

namespace carpool::choose {

Load load_of(const routing::Itinerary& itinerary) {
    const auto messages = std::max(itinerary.sends().size(), itinerary.receives().size());
    return {static_cast<std::int64_t>(messages),
            std::max(itinerary.blocks_sent(), itinerary.blocks_received()), itinerary.phases()};
}

Load most(const Load& a, const Load& b) {
    return {std::max(a.messages, b.messages), std::max(a.blocks, b.blocks),
            std::max(a.phases, b.phases)};
}

double estimate(const CostModel& model, const Load& load, std::int64_t block_bytes) {
    return model.alpha * static_cast<double>(load.messages) +
           model.beta * static_cast<double>(load.blocks) * static_cast<double>(block_bytes) +
           model.sigma * static_cast<double>(load.phases);
}

}  // namespace carpool::choose
