#include "choose/planner.hpp"

#include "schedule/place.hpp"
#include "schedule/place_sums.hpp"

#include <limits>

namespace carpool::choose {

std::int64_t Choice::volume() const {
    return sums ? static_cast<std::int64_t>(sums->moves().size()) : plan->volume();
}

std::int64_t Choice::bytes(std::span<const std::int64_t> block_bytes) const {
    return sums ? volume() * block_bytes.front() : bytes_sent(*plan, block_bytes);
}

Choice Planner::planned(const routing::Rule& rule, schedule::Operation operation) {
    const std::lock_guard lock(mutex_);
    return {&rule, plan(rule, schedule::pattern_of(operation)),
            schedule::reduces(operation) ? sums(rule, operation) : nullptr};
}

std::shared_ptr<const routing::Plan> Planner::plan(const routing::Rule& rule,
                                                   routing::Pattern pattern) {
    auto& plan = plans_[{&rule, pattern}];
    if (!plan)
        plan = std::make_shared<const routing::Plan>(rule.plan(grid_, neighborhood_, pattern));
    return plan;
}

std::shared_ptr<const routing::PartialSums> Planner::sums(const routing::Rule& rule,
                                                          schedule::Operation operation) {
    using Blocks = routing::PartialSums::Blocks;
    auto& sums = sums_[{&rule, operation}];
    if (!sums)
        sums = std::make_shared<const routing::PartialSums>(
            *plan(rule, schedule::pattern_of(operation)),
            schedule::sends_one_block(operation) ? Blocks::one : Blocks::per_position);
    return sums;
}

Choice Planner::cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                         const CostModel& model) {
    Choice best{};
    double least = std::numeric_limits<double>::infinity();
    for (const auto* rule : routing::grid_rules()) {
        if (!rule->automatic) continue;
        auto choice = planned(*rule, operation);
        const double cost = estimate(model, *choice.plan, choice.bytes(block_bytes));
        if (cost >= least) continue;
        least = cost;
        best = std::move(choice);
    }
    return best;
}

schedule::Schedule Planner::placed(const Choice& choice, schedule::Operation operation, int rank,
                                   std::span<const std::int64_t> block_bytes) const {
    if (!choice.sums) return schedule::place(*choice.plan, grid_, neighborhood_, rank, block_bytes);
    return schedule::place_sums(*choice.plan, *choice.sums, grid_, neighborhood_, rank, operation,
                                block_bytes.front());
}

}  // namespace carpool::choose
