#include "choose/planner.hpp"

#include <limits>

namespace carpool::choose {

Choice Planner::planned(const routing::Rule& rule, routing::Pattern pattern) {
    const std::lock_guard lock(mutex_);
    auto& plan = plans_[{&rule, pattern}];
    if (!plan)
        plan = std::make_shared<const routing::Plan>(rule.plan(grid_, neighborhood_, pattern));
    return {&rule, plan};
}

Choice Planner::cheapest(routing::Pattern pattern, std::span<const std::int64_t> block_bytes,
                         const CostModel& model) {
    Choice best{};
    double least = std::numeric_limits<double>::infinity();
    for (const auto* rule : routing::rules()) {
        if (!rule->automatic) continue;
        auto choice = planned(*rule, pattern);
        const double cost = estimate(model, *choice.plan, block_bytes);
        if (cost >= least) continue;
        least = cost;
        best = std::move(choice);
    }
    return best;
}

}  // namespace carpool::choose
