// SPDX-License-Identifier: MIT
#include "choose/machine.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace carpool::choose {

/// Measured with 4 to 64 ranks on 2 cores (docs/measurements): while a rank waits for its core,
/// each of the others handles half a message.
CostModel oversubscribed(CostModel model, double ranks_per_core) {
    constexpr double messages_meanwhile = 0.5;
    if (ranks_per_core > 1)
        model.sigma = std::max(model.sigma, messages_meanwhile * ranks_per_core * model.alpha);
    return model;
}

/// Measured on 4 to 16 ranks, 2 cores (docs/measurements): one more phase of a broadcast of 8 B.
CostModel sharing_cores(CostModel model, double ranks_per_core) {
    constexpr double time_slice = 5e-6;
    if (ranks_per_core > 1) model.sigma = std::max(model.sigma, time_slice * ranks_per_core);
    return model;
}

Machine::Machine(const CostModel& everywhere, double ranks_per_core)
    : Machine(Costs{everywhere, everywhere}, nullptr, ranks_per_core) {}

Machine::Machine(const Costs& costs, std::shared_ptr<const topology::Nodes> nodes,
                 double ranks_per_core)
    : costs_(costs), ranks_per_core_(ranks_per_core) {
    if (nodes && nodes->count() > 1) nodes_ = std::move(nodes);
}

Level level_of(const topology::Nodes* nodes, int rank, int other) {
    const bool near = nodes == nullptr || nodes->node(rank) == nodes->node(other);
    return near ? Level::node : Level::network;
}

std::vector<std::int64_t> Machine::numbers() const {
    std::vector<std::int64_t> result;
    if (nodes_) result.push_back(static_cast<std::int64_t>(nodes_->digest()));
    const auto add = [&result](double number) {
        result.push_back(std::bit_cast<std::int64_t>(number));
    };
    for (const auto& model : {costs_.node, costs_.network}) {
        for (const double number : {model.alpha, model.beta, model.sigma, model.share_of_send})
            add(number);
        result.push_back(model.ports);
    }
    for (const double number : {costs_.adapter_per_byte, costs_.adapter_per_message,
                                costs_.copy_per_byte, costs_.sum_per_byte, costs_.congestion})
        add(number);
    result.push_back(costs_.in_flight);
    result.push_back(costs_.overlaps ? 1 : 0);
    add(ranks_per_core_);
    return result;
}

}  // namespace carpool::choose
