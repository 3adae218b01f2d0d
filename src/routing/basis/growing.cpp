// SPDX-License-Identifier: MIT
#include "routing/basis/growing.hpp"

#include "routing/basis/step_sets.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

using Offset = OffsetSpace::Offset;

constexpr std::size_t most_pairs = 1 << 12;      // pairs of a sum and a target
constexpr std::size_t most_looked_at = 1 << 12;  // targets, to choose among equal steps

/// The number of targets that lie one step from zero or from another target.
std::ptrdiff_t uses_of(const OffsetSpace& space, const std::vector<Offset>& targets, Offset step) {
    return std::count_if(targets.begin(), targets.end(), [&](Offset target) {
        const auto before = space.minus(target, step);
        return space.agree(before, step) &&
               (before == 0 || std::binary_search(targets.begin(), targets.end(), before));
    });
}

/// All steps from a sum to a missing target, ascending, with repetitions.
std::vector<Offset> steps_between(const OffsetSpace& space, const std::vector<Offset>& sums,
                                  const std::vector<Offset>& missing) {
    std::vector<Offset> steps;
    steps.reserve(sums.size() * missing.size());
    for (const auto sum : sums)
        for (const auto target : missing)
            if (const auto step = space.minus(target, sum); space.agree(sum, step))
                steps.push_back(step);
    std::sort(steps.begin(), steps.end());
    return steps;
}

/// The steps that lead to the most targets, each once.
std::vector<Offset> farthest_reaching(const std::vector<Offset>& steps) {
    std::vector<Offset> best;
    std::ptrdiff_t most = 0;
    for (auto first = steps.begin(); first != steps.end();) {
        const auto last = std::upper_bound(first, steps.end(), *first);
        if (last - first > most) best.clear();
        most = std::max(most, last - first);
        if (last - first == most) best.push_back(*first);
        first = last;
    }
    return best;
}

Offset best_step(const OffsetSpace& space, const Targets& targets, const std::vector<Offset>& sums,
                 const std::vector<Offset>& missing) {
    auto steps = farthest_reaching(steps_between(space, sums, missing));
    steps.resize(std::min(steps.size(), most_looked_at / targets.offsets.size() + 1));
    std::pair<std::ptrdiff_t, Offset> best{0, steps.front()};
    for (const auto step : steps) {
        const auto uses = uses_of(space, targets.offsets, step);
        if (uses > best.first) best = {uses, step};
    }
    return best.second;
}

}  // namespace

void offer_by_growing(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice) {
    const auto most = std::min(most_steps, VectorChoice::most_enumerated);
    std::vector<Offset> steps;
    std::vector<Offset> sums{0};
    auto missing = targets.offsets;
    while (!missing.empty()) {
        if (steps.size() == most || sums.size() * missing.size() > most_pairs) return;
        steps.push_back(best_step(space, targets, sums, missing));
        sums = space.with_step(std::move(sums), steps.back());
        missing = missing_from(sums, missing);
    }
    choice.offer(std::move(steps));
}

}  // namespace carpool::routing
