#include "choose/cost_model.hpp"

#include <algorithm>

namespace carpool::choose {

/// Measured with 4 to 64 ranks on 2 cores (docs/personalized.md): while a rank waits for its turn,
/// each of the others handles half a message.
CostModel oversubscribed(CostModel model, double ranks_per_core) {
    constexpr double messages_in_turn = 0.5;
    if (ranks_per_core > 1)
        model.sigma = std::max(model.sigma, messages_in_turn * ranks_per_core * model.alpha);
    return model;
}

std::int64_t bytes_sent(const routing::Plan& plan, std::span<const std::int64_t> block_bytes) {
    const auto block = plan.block_of_stops();
    std::int64_t sum = 0;
    for (auto stop = static_cast<std::size_t>(plan.blocks()); stop < block.size(); ++stop)
        sum += block_bytes[static_cast<std::size_t>(block[stop])];
    return sum;
}

double estimate(const CostModel& model, const routing::Plan& plan, std::int64_t bytes) {
    return model.alpha * plan.rounds() + model.sigma * plan.least_phases() +
           model.beta * static_cast<double>(bytes);
}

}  // namespace carpool::choose
