#include "choose/planner.hpp"

#include "choose/cheapest.hpp"
#include "schedule/place.hpp"
#include "schedule/place_sums.hpp"
#include "topology/isomorphism.hpp"

#include <vector>

namespace carpool::choose {

std::int64_t GridPlan::volume() const {
    return sums ? static_cast<std::int64_t>(sums->moves().size()) : plan->volume();
}

std::int64_t GridPlan::bytes(std::span<const std::int64_t> block_bytes) const {
    return sums ? volume() * block_bytes.front() : bytes_sent(*plan, block_bytes);
}

Load GridPlan::load(std::span<const std::int64_t> block_bytes, const Machine& machine) const {
    auto load = load_of(*plan, bytes(block_bytes), machine);
    load.at(machine.widest()).blocks = volume();
    return load;
}

Planner::Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood)
    : grid_(grid), neighborhood_(topology::shortened(grid, neighborhood)) {}

GridPlan Planner::planned(const routing::Rule& rule, schedule::Operation operation) {
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

GridPlan Planner::cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                           const Machine& machine) {
    std::vector<const routing::Rule*> rules;
    std::vector<Candidate> candidates;
    for (const auto* rule : routing::grid_rules()) {
        if (!rule->automatic) continue;
        rules.push_back(rule);
        candidates.push_back(
            {[=, this, &machine] { return planned(*rule, operation).load(block_bytes, machine); }});
    }
    return planned(*rules[choose::cheapest(machine, candidates).number], operation);
}

schedule::Schedule Planner::placed(const GridPlan& plan, schedule::Operation operation, int rank,
                                   std::span<const std::int64_t> block_bytes) const {
    if (!plan.sums) return schedule::place(*plan.plan, grid_, neighborhood_, rank, block_bytes);
    return schedule::place_sums(*plan.plan, *plan.sums, grid_, neighborhood_, rank, operation,
                                block_bytes.front());
}

}  // namespace carpool::choose
