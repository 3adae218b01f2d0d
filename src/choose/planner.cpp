// SPDX-License-Identifier: MIT
#include "choose/planner.hpp"

#include "choose/cheapest.hpp"
#include "schedule/place.hpp"
#include "schedule/place_sums.hpp"
#include "topology/isomorphism.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace carpool::choose {

namespace {

using routing::Pattern;
using routing::Rule;

/// The proportions of block sizes in small integers, so that sizes in the same proportions share
/// plans. None if all blocks have one size, or one block goes to all neighbors.
std::vector<std::int64_t> weights_of(Pattern pattern, std::span<const std::int64_t> block_bytes) {
    constexpr std::int64_t most = 1 << 20;
    if (pattern == Pattern::allgather || block_bytes.empty()) return {};
    const auto [least, largest] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    if (*least == *largest) return {};
    std::int64_t unit = 0;
    for (const auto bytes : block_bytes) unit = std::gcd(unit, bytes);
    unit = std::max(unit, *largest / most);
    std::vector<std::int64_t> weights;
    for (const auto bytes : block_bytes) weights.push_back(bytes / unit);
    return weights;
}

routing::Limits limits_of(const CountedPlan& plan) {
    return {plan.plan.rounds(), static_cast<int>(plan.rounds_by_phase.size())};
}

bool within(const CountedPlan& plan, const routing::Limits& limits) {
    return plan.plan.rounds() <= limits.rounds &&
           plan.rounds_by_phase.size() <= static_cast<std::size_t>(limits.phases);
}

bool count_alike(const GridPlan& a, const GridPlan& b) {
    return a.counted->rounds_by_phase == b.counted->rounds_by_phase &&
           a.counted->hops == b.counted->hops && a.volume() == b.volume();
}

}  // namespace

CountedPlan::CountedPlan(routing::Plan made)
    : plan(std::move(made)),
      rounds(rounds_of(plan)),
      rounds_by_phase(plan.rounds_by_phase()),
      hops(plan.hops_of_blocks()) {}

std::int64_t GridPlan::volume() const {
    return sums ? static_cast<std::int64_t>(sums->moves().size()) : plan().volume();
}

std::int64_t GridPlan::bytes(std::span<const std::int64_t> block_bytes) const {
    if (sums) return volume() * block_bytes.front();
    return std::inner_product(block_bytes.begin(), block_bytes.end(), counted->hops.begin(),
                              std::int64_t{0});
}

Load GridPlan::load(std::span<const std::int64_t> block_bytes, const Machine& machine) const {
    return load_of(plan(), rounds(block_bytes), *grid, machine);
}

/// The load of each round, with its bytes.
std::vector<RoundLoad> GridPlan::rounds(std::span<const std::int64_t> block_bytes) const {
    auto rounds = counted->rounds;
    if (sums) {
        for (auto& round : rounds) round.blocks = 0;
        for (const auto& move : sums->moves())
            ++rounds[static_cast<std::size_t>(move.round)].blocks;
        for (auto& round : rounds) round.bytes = round.blocks * block_bytes.front();
        return rounds;
    }
    const auto block = plan().block_of_stops();
    const auto round = plan().round_of_stops();
    for (auto stop = static_cast<std::size_t>(plan().blocks()); stop < block.size(); ++stop)
        rounds[static_cast<std::size_t>(round[stop])].bytes +=
            block_bytes[static_cast<std::size_t>(block[stop])];
    return rounds;
}

Planner::Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood)
    : grid_(grid), neighborhood_(topology::shortened(grid, neighborhood)) {}

GridPlan Planner::planned(const Rule& rule, schedule::Operation operation) {
    const std::lock_guard lock(mutex_);
    return grid_plan(rule, operation, plan(rule, schedule::pattern_of(operation)));
}

GridPlan Planner::planned(const Rule& rule, schedule::Operation operation,
                          const routing::Limits& limits,
                          std::span<const std::int64_t> block_bytes) {
    if (rule.plans == nullptr || limits == routing::Limits{}) return planned(rule, operation);
    const auto pattern = schedule::pattern_of(operation);
    const auto weights = weights_of(pattern, block_bytes);
    const std::lock_guard lock(mutex_);
    const auto& several = plans(rule, pattern, weights);
    if (several.empty()) return grid_plan(rule, operation, plan(rule, pattern));
    const auto volume = [&](const CountedPlan& one) { return one.plan.volume_by(weights); };
    const auto* best = &several.front();
    for (const auto& one : several) {
        if (!within(*one, limits)) continue;
        if (!within(**best, limits) || volume(*one) < volume(**best)) best = &one;
    }
    return grid_plan(rule, operation, *best, limits_of(**best));
}

std::vector<GridPlan> Planner::others(const Rule& rule, schedule::Operation operation,
                                      std::span<const std::int64_t> block_bytes) {
    if (rule.plans == nullptr) return {};
    std::vector<GridPlan> known;
    for (const auto* other : routing::grid_rules())
        if (other->automatic) known.push_back(planned(*other, operation));
    const auto pattern = schedule::pattern_of(operation);
    const std::lock_guard lock(mutex_);
    std::vector<GridPlan> result;
    for (const auto& one : plans(rule, pattern, weights_of(pattern, block_bytes))) {
        auto plan = grid_plan(rule, operation, one, limits_of(*one));
        if (std::none_of(known.begin(), known.end(),
                         [&](const auto& other) { return count_alike(other, plan); }))
            result.push_back(std::move(plan));
    }
    return result;
}

std::vector<GridPlan> Planner::automatic(schedule::Operation operation,
                                         std::span<const std::int64_t> block_bytes) {
    std::vector<GridPlan> result;
    for (const auto* rule : routing::grid_rules()) {
        if (!rule->automatic) continue;
        result.push_back(planned(*rule, operation));
        for (auto& other : others(*rule, operation, block_bytes))
            result.push_back(std::move(other));
    }
    return result;
}

GridPlan Planner::grid_plan(const Rule& rule, schedule::Operation operation,
                            const std::shared_ptr<const CountedPlan>& counted,
                            const routing::Limits& limits) {
    return {&rule, &grid_, counted,
            schedule::reduces(operation) ? sums(counted, operation) : nullptr, limits};
}

std::shared_ptr<const CountedPlan> Planner::plan(const Rule& rule, Pattern pattern) {
    auto& plan = plans_[{&rule, pattern}];
    if (!plan) plan = std::make_shared<const CountedPlan>(rule.plan(grid_, neighborhood_, pattern));
    return plan;
}

/// Sizes that are used again find their plans. Few are, but many may be used once, so only a few
/// are kept.
const Planner::Plans& Planner::plans(const Rule& rule, Pattern pattern, const Weights& weights) {
    constexpr std::size_t most = 4;
    const auto key = std::tuple(&rule, pattern, weights);
    const auto known = several_.find(key);
    if (known != several_.end()) return known->second;
    if (several_.size() >= most)
        std::erase_if(several_,
                      [](const auto& one) { return !std::get<Weights>(one.first).empty(); });
    Plans made;
    for (auto& plan : rule.plans(grid_, neighborhood_, pattern, weights))
        made.push_back(std::make_shared<const CountedPlan>(std::move(plan)));
    return several_.emplace(key, std::move(made)).first->second;
}

std::shared_ptr<const routing::PartialSums> Planner::sums(
    const std::shared_ptr<const CountedPlan>& counted, schedule::Operation operation) {
    using Blocks = routing::PartialSums::Blocks;
    auto& sums = sums_[{counted, operation}];
    if (!sums)
        sums = std::make_shared<const routing::PartialSums>(
            counted->plan,
            schedule::sends_one_block(operation) ? Blocks::one : Blocks::per_position);
    return sums;
}

GridPlan Planner::cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                           const Machine& machine) {
    const auto plans = automatic(operation, block_bytes);
    std::vector<Candidate> candidates;
    for (const auto& plan : plans)
        candidates.push_back({[&] { return plan.load(block_bytes, machine); }});
    return plans[choose::cheapest(machine, candidates).number];
}

schedule::Schedule Planner::placed(const GridPlan& plan, schedule::Operation operation, int rank,
                                   std::span<const std::int64_t> block_bytes) const {
    if (!plan.sums) return schedule::place(plan.plan(), grid_, neighborhood_, rank, block_bytes);
    return schedule::place_sums(plan.plan(), *plan.sums, grid_, neighborhood_, rank, operation,
                                block_bytes.front());
}

}  // namespace carpool::choose
