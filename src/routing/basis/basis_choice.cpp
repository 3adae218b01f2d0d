// SPDX-License-Identifier: MIT
#include "routing/basis/basis_choice.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

namespace carpool::routing {
namespace {

bool fits_int(std::int64_t step) {
    return step >= std::numeric_limits<int>::min() && step <= std::numeric_limits<int>::max();
}

}  // namespace

BasisChoice::BasisChoice(std::span<const Value> values, Pattern pattern)
    : values_(values), pattern_(pattern) {
    for (const auto& value : values) blocks_.push_back(value.blocks);
}

void BasisChoice::offer(std::vector<std::int64_t> steps) {
    if (!std::all_of(steps.begin(), steps.end(), fits_int)) return;
    std::sort(steps.begin(), steps.end(), [](std::int64_t a, std::int64_t b) {
        return std::pair(std::abs(a), a) < std::pair(std::abs(b), b);
    });
    Basis basis{std::vector<int>(steps.begin(), steps.end()), {}};
    const auto sets = sets_of(basis.steps);
    if (std::any_of(sets.begin(), sets.end(), [](const auto& s) { return s.empty(); })) return;
    auto taken_by = taken(sets, blocks_, pattern_);
    basis.used = std::move(taken_by.of_value);
    basis.volume = taken_by.volume;
    offer(std::move(basis));
}

void BasisChoice::offer(Basis basis) {
    if (basis.steps.empty()) return;
    basis.phases = longest_chain(basis.used, basis.steps.size());
    const auto rank = [](const Basis& b) { return std::tuple(b.steps.size(), b.volume, b.phases); };
    if (empty() || rank(basis) < rank(best_)) best_ = std::move(basis);
}

std::vector<std::vector<StepSet>> BasisChoice::sets_of(const std::vector<int>& steps) const {
    std::vector<std::vector<StepSet>> sets(values_.size());
    std::vector<std::int64_t> sums(std::size_t{1} << steps.size(), 0);
    for (std::size_t set = 1; set < sums.size(); ++set) {
        sums[set] = sums[set & (set - 1)] + steps[static_cast<std::size_t>(std::countr_zero(set))];
        const auto found = std::lower_bound(
            values_.begin(), values_.end(), sums[set],
            [](const Value& value, std::int64_t sum) { return value.value < sum; });
        if (found != values_.end() && found->value == sums[set])
            sets[static_cast<std::size_t>(found - values_.begin())].push_back(
                static_cast<StepSet>(set));
    }
    return sets;
}

}  // namespace carpool::routing
