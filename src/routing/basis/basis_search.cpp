// SPDX-License-Identifier: MIT
#include "routing/basis/basis_search.hpp"

#include "routing/basis/step_sets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace carpool::routing {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers with(const Numbers& sums, std::int64_t step) {
    Numbers moved(sums);
    for (auto& sum : moved) sum += step;
    Numbers all;
    all.reserve(2 * sums.size());
    std::set_union(sums.begin(), sums.end(), moved.begin(), moved.end(), std::back_inserter(all));
    return all;
}

}  // namespace

void BasisSearch::run(std::size_t size, BasisChoice& choice) {
    const std::int64_t lowest = std::min(0, values_.front().value);
    const std::int64_t width = std::max(0, values_.back().value) - lowest;
    const auto shifts = signs_ == Signs::own ? 0 : width;
    for (std::int64_t more = 0; more <= shifts && !exhausted(); ++more)
        run_shifted(more - lowest, size, choice);
}

void BasisSearch::run_shifted(std::int64_t shift, std::size_t size, BasisChoice& choice) {
    choice_ = &choice;
    shift_ = shift;
    targets_.clear();
    if (shift > 0) targets_.push_back(shift);
    for (const auto& v : values_)
        if (v.value + shift != 0) targets_.push_back(v.value + shift);
    std::sort(targets_.begin(), targets_.end());
    Numbers steps;
    extend(steps, {0}, size);
}

void BasisSearch::extend(Numbers& steps, const Numbers& sums, std::size_t size) {
    if (--nodes_left_ < 0) return;
    const auto missing = missing_from(sums, targets_);
    const auto left = size - steps.size();
    if (left == 0) {
        if (missing.empty()) found(steps);
        return;
    }
    if (missing.size() > sums.size() * ((std::size_t{1} << left) - 1)) return;
    const auto last = steps.empty() ? 0 : steps.back();
    for (auto step = missing.empty() ? targets_.back() : missing.front(); step > last; --step) {
        steps.push_back(step);
        extend(steps, with(sums, step), size);
        steps.pop_back();
        if (exhausted()) return;
    }
}

/// Offers the steps with a subset negated, for every subset that sums to the shift.
void BasisSearch::found(const Numbers& steps) {
    const auto sets = std::size_t{1} << steps.size();
    nodes_left_ -= static_cast<std::int64_t>(sets / 16);
    for (std::size_t set = 0; set < sets; ++set) {
        std::int64_t sum = 0;
        auto negated = steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if ((set >> i & 1) != 0) sum += std::exchange(negated[i], -negated[i]);
        if (sum == shift_) choice_->offer(std::move(negated));
    }
}

}  // namespace carpool::routing
