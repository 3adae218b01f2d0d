#include "choose/machine.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace carpool::choose {

/// Measured with 4 to 64 ranks on 2 cores (docs/personalized.md): while a rank waits for its turn,
/// each of the others handles half a message.
CostModel oversubscribed(CostModel model, double ranks_per_core) {
    constexpr double messages_in_turn = 0.5;
    if (ranks_per_core > 1)
        model.sigma = std::max(model.sigma, messages_in_turn * ranks_per_core * model.alpha);
    return model;
}

Machine::Machine(const CostModel& everywhere, double ranks_per_core)
    : costs_{everywhere, everywhere}, ranks_per_core_(ranks_per_core) {}

Machine::Machine(const CostModel& within_node, const CostModel& between_nodes,
                 std::vector<int> node_of, double ranks_per_core)
    : costs_{within_node, between_nodes},
      node_of_(std::move(node_of)),
      ranks_per_core_(ranks_per_core) {
    const auto other = std::adjacent_find(node_of_.begin(), node_of_.end(), std::not_equal_to<>());
    if (other != node_of_.end()) widest_ = Level::network;
}

const Machine& Machine::anywhere() {
    static const Machine machine(CostModel{});
    return machine;
}

Level Machine::level(int rank, int other) const {
    if (widest_ == Level::node) return Level::node;
    const auto node = [this](int r) { return node_of_[static_cast<std::size_t>(r)]; };
    return node(rank) == node(other) ? Level::node : Level::network;
}

std::vector<std::int64_t> Machine::numbers() const {
    std::vector<std::int64_t> result(node_of_.begin(), node_of_.end());
    for (const auto& cost : costs_)
        for (const double number : {cost.alpha, cost.beta, cost.sigma})
            result.push_back(std::bit_cast<std::int64_t>(number));
    for (const auto& cost : costs_) result.push_back(cost.ports);
    result.push_back(std::bit_cast<std::int64_t>(ranks_per_core_));
    return result;
}

}  // namespace carpool::choose
