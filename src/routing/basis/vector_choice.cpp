// SPDX-License-Identifier: MIT
#include "routing/basis/vector_choice.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace carpool::routing {

void VectorChoice::offer(std::vector<Offset> steps) {
    const auto sets = sets_of(steps);
    if (std::any_of(sets.begin(), sets.end(), [](const auto& s) { return s.empty(); })) return;
    compare({std::move(steps), taken(sets, targets_.blocks, pattern_)});
}

void VectorChoice::offer(std::vector<Offset> steps, const std::vector<StepSet>& of_target) {
    if (steps.size() <= most_enumerated) return offer(std::move(steps));
    std::vector<std::vector<StepSet>> sets;
    for (const auto set : of_target) sets.push_back({set});
    compare({std::move(steps), taken(sets, targets_.blocks, pattern_)});
}

void VectorChoice::compare(Basis basis) {
    basis.phases = longest_chain(basis.taken.of_value, basis.steps.size());
    const auto rank = [](const Basis& b) {
        return std::tuple(b.steps.size(), b.taken.volume, b.phases);
    };
    if (empty() || rank(basis) < rank(best_)) best_ = std::move(basis);
}

/// Sums of steps that point in opposite directions on a mesh are not valid.
std::vector<std::vector<StepSet>> VectorChoice::sets_of(std::span<const Offset> steps) const {
    std::vector<std::vector<StepSet>> sets(targets_.offsets.size());
    std::vector<Offset> sums(std::size_t{1} << steps.size(), 0);
    std::vector<bool> valid(sums.size(), true);
    for (std::size_t set = 1; set < sums.size(); ++set) {
        const auto before = set & (set - 1);
        const auto step = steps[static_cast<std::size_t>(std::countr_zero(set))];
        valid[set] = valid[before] && space_.agree(sums[before], step);
        if (!valid[set]) continue;
        sums[set] = space_.plus(sums[before], step);
        const auto found =
            std::lower_bound(targets_.offsets.begin(), targets_.offsets.end(), sums[set]);
        if (found != targets_.offsets.end() && *found == sums[set])
            sets[static_cast<std::size_t>(found - targets_.offsets.begin())].push_back(
                static_cast<StepSet>(set));
    }
    return sets;
}

}  // namespace carpool::routing
