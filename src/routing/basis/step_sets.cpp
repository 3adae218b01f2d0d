// SPDX-License-Identifier: MIT
#include "routing/basis/step_sets.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace carpool::routing {
namespace {

using Set = StepSet;
using Sets = std::vector<std::vector<Set>>;

/// The stops on the way to a sum, as the sets of steps taken so far, the lowest level first.
std::vector<Set> prefixes(Set set) {
    std::vector<Set> result;
    for (; set != 0; set &= ~std::bit_floor(set)) result.push_back(set);
    return result;
}

std::int64_t new_stops(Set set, const std::set<Set>& stops) {
    const auto way = prefixes(set);
    return std::count_if(way.begin(), way.end(),
                         [&stops](Set stop) { return !stops.contains(stop); });
}

Set of_fewest_steps(const std::vector<Set>& sets) {
    return *std::min_element(sets.begin(), sets.end(),
                             [](Set a, Set b) { return std::popcount(a) < std::popcount(b); });
}

TakenSets fewest_steps(const Sets& sets, std::span<const std::int64_t> blocks) {
    TakenSets result;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        result.of_value.push_back(of_fewest_steps(sets[i]));
        result.volume += blocks[i] * std::popcount(result.of_value.back());
    }
    return result;
}

/// For an allgather, every value joins the tree of sums where it needs the fewest new stops, values
/// with few steps first.
TakenSets grown_tree(const Sets& sets) {
    std::vector<Set> used(sets.size());
    std::vector<std::size_t> order(sets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto least = [&sets](std::size_t value) {
        return std::popcount(of_fewest_steps(sets[value]));
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return least(a) < least(b); });
    std::set<Set> stops;
    for (const auto value : order) {
        used[value] = *std::min_element(
            sets[value].begin(), sets[value].end(),
            [&stops](Set a, Set b) { return new_stops(a, stops) < new_stops(b, stops); });
        for (const auto stop : prefixes(used[value])) stops.insert(stop);
    }
    const auto volume = static_cast<std::int64_t>(stops.size());
    return {std::move(used), volume};
}

}  // namespace

TakenSets taken(const Sets& sets, std::span<const std::int64_t> blocks, Pattern pattern) {
    return pattern == Pattern::alltoall ? fewest_steps(sets, blocks) : grown_tree(sets);
}

int longest_chain(const std::vector<Set>& used, std::size_t steps) {
    std::vector<int> phase(steps, 1);
    for (std::size_t step = 1; step < steps; ++step) {
        const Set bit = Set{1} << step;
        for (const Set set : used) {
            const Set before = set & (bit - 1);
            if ((set & bit) == 0 || before == 0) continue;
            const auto last = static_cast<std::size_t>(std::bit_width(before) - 1);
            phase[step] = std::max(phase[step], phase[last] + 1);
        }
    }
    return *std::max_element(phase.begin(), phase.end());
}

std::vector<std::int64_t> missing_from(const std::vector<std::int64_t>& sums,
                                       const std::vector<std::int64_t>& targets) {
    std::vector<std::int64_t> missing;
    std::set_difference(targets.begin(), targets.end(), sums.begin(), sums.end(),
                        std::back_inserter(missing));
    return missing;
}

}  // namespace carpool::routing
