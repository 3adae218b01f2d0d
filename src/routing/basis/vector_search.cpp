// SPDX-License-Identifier: MIT
#include "routing/basis/vector_search.hpp"

#include "routing/basis/step_sets.hpp"

#include <algorithm>
#include <utility>

namespace carpool::routing {
namespace {

using Offset = OffsetSpace::Offset;
using Offsets = std::vector<Offset>;

constexpr std::int64_t most_steps_listed = 512;
constexpr std::size_t most_ways_compared = 16;
constexpr std::int64_t ways_per_try = 16;

void make_distinct(Offsets& offsets) {
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
}

bool contains(const Offsets& sorted, Offset offset) {
    return std::binary_search(sorted.begin(), sorted.end(), offset);
}

/// Sorts the steps that lead from target to target most often to the front, so that bases are found
/// early.
void sort_by_use(const OffsetSpace& space, const Offsets& targets, Offsets& steps) {
    const auto use = [&](Offset step) {
        auto uses = contains(targets, step) ? 1 : 0;
        for (const auto from : targets)
            if (space.agree(from, step) && contains(targets, space.plus(from, step))) ++uses;
        return uses;
    };
    std::vector<std::pair<int, Offset>> ranked;
    for (const auto step : steps) ranked.emplace_back(-use(step), step);
    std::sort(ranked.begin(), ranked.end());
    std::transform(ranked.begin(), ranked.end(), steps.begin(),
                   [](const auto& ranked_step) { return ranked_step.second; });
}

}  // namespace

VectorSearch::VectorSearch(const OffsetSpace& space, const Targets& targets, std::int64_t tries)
    : space_(space), targets_(targets), tries_left_(tries) {
    auto all = space.all_towards(targets.offsets, most_steps_listed);
    all_known_ = all.has_value();
    all_ = all_known_ ? std::move(*all) : ways({0}, targets.offsets);
    sort_by_use(space, targets.offsets, all_);
}

void VectorSearch::run(std::size_t size, VectorChoice& choice) {
    choice_ = &choice;
    steps_.clear();
    extend({0}, targets_.offsets, size, 0);
}

void VectorSearch::shorten(VectorChoice& choice) {
    choice_ = &choice;
    while (choice.best().steps.size() <= VectorChoice::most_enumerated)
        if (!shorten_once(choice.best().steps)) return;
}

bool VectorSearch::shorten_once(const Offsets& basis) {
    // The best basis changes. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const auto whole = basis;
    for (std::size_t second = whole.size(); second-- > 0;)
        for (std::size_t first = second; first-- > 0;) {
            steps_ = whole;
            steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(second));
            steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(first));
            Offsets sums{0};
            for (const auto step : steps_) sums = space_.with_step(std::move(sums), step);
            const auto missing = missing_from(sums, targets_.offsets);
            if (missing.empty()) choice_->offer(steps_);
            if (!missing.empty() && missing.size() <= sums.size()) finish(sums, missing);
            if (choice_->best().steps.size() < whole.size()) return true;
            if (tries_left_ < 0) return false;
        }
    return false;
}

void VectorSearch::extend(const Offsets& sums, const Offsets& missing, std::size_t left,
                          std::size_t first) {
    if (missing.size() > sums.size() * ((std::size_t{1} << left) - 1)) return;
    if (missing.empty()) return;  // there is no smaller basis
    if (left == 1) return finish(sums, missing);
    if (left == 2)
        for (const auto step : ways(sums, missing)) try_step(step, sums, missing, left, 0);
    else if (left == 3 && sums.size() * missing.size() <= most_ways_compared)
        for (const auto step : with_differences(ways(sums, missing)))
            try_step(step, sums, missing, left, 0);
    else
        extend_by_any(sums, missing, left, first);
}

void VectorSearch::extend_by_any(const Offsets& sums, const Offsets& missing, std::size_t left,
                                 std::size_t first) {
    exact_ = exact_ && all_known_;
    for (auto i = first; i < all_.size(); ++i) try_step(all_[i], sums, missing, left, i);
}

void VectorSearch::try_step(Offset step, const Offsets& sums, const Offsets& missing,
                            std::size_t left, std::size_t first) {
    if (--tries_left_ < 0) return;
    const auto more = space_.with_step(sums, step);
    steps_.push_back(step);
    extend(more, missing_from(more, missing), left - 1, first);
    steps_.pop_back();
}

/// Offers each basis that one more step completes, which leads to all missing targets.
void VectorSearch::finish(const Offsets& sums, const Offsets& missing) {
    for (const auto step : ways(sums, {missing.front()})) {
        if (--tries_left_ < 0) return;
        const bool leads_to_all = std::all_of(missing.begin(), missing.end(), [&](Offset target) {
            return space_.leads_towards(step, target) && contains(sums, space_.minus(target, step));
        });
        if (!leads_to_all) continue;
        auto steps = steps_;
        steps.push_back(step);
        choice_->offer(std::move(steps));
    }
}

/// The steps that lead from a sum to a missing target.
Offsets VectorSearch::ways(const Offsets& sums, const Offsets& missing) {
    tries_left_ -= static_cast<std::int64_t>(sums.size() * missing.size()) / ways_per_try;
    Offsets steps;
    for (const auto sum : sums)
        for (const auto target : missing) {
            const auto step = space_.minus(target, sum);
            if (space_.agree(sum, step)) steps.push_back(step);
        }
    make_distinct(steps);
    return steps;
}

Offsets VectorSearch::with_differences(const Offsets& ways) const {
    Offsets steps = ways;
    for (const auto to : ways)
        for (const auto from : ways) {
            const auto step = space_.minus(to, from);
            if (step != 0 && space_.agree(from, step)) steps.push_back(step);
        }
    make_distinct(steps);
    return steps;
}

}  // namespace carpool::routing
