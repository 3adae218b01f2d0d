#include "choose/load.hpp"

#include <algorithm>

namespace carpool::choose {

Load load_of(const routing::Itinerary& itinerary) {
    const auto messages = std::max(itinerary.sends().size(), itinerary.receives().size());
    return {static_cast<std::int64_t>(messages),
            std::max(itinerary.blocks_sent(), itinerary.blocks_received()), itinerary.phases(),
            std::max(itinerary.bytes_sent(), itinerary.bytes_received())};
}

Load most(const Load& a, const Load& b) {
    return {std::max(a.messages, b.messages), std::max(a.blocks, b.blocks),
            std::max(a.phases, b.phases), std::max(a.bytes, b.bytes)};
}

double estimate(const CostModel& model, const Load& load, std::int64_t block_bytes) {
    const double bytes = load.bytes > 0
                             ? static_cast<double>(load.bytes)
                             : static_cast<double>(load.blocks) * static_cast<double>(block_bytes);
    return model.alpha * static_cast<double>(load.messages) + model.beta * bytes +
           model.sigma * static_cast<double>(load.phases);
}

}  // namespace carpool::choose
