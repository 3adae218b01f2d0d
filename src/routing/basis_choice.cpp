#include "routing/basis_choice.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace carpool::routing {
namespace {

using Set = std::uint32_t;

/// The stops on the way of a sum: the steps it has taken so far, the lowest level first.
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

/// Allgather: every value joins the tree of sums where that takes the fewest new stops, those with
/// few steps first.
std::int64_t grow_tree(const std::vector<std::vector<Set>>& sets, std::vector<Set>& used) {
    std::vector<std::size_t> order(sets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto least = [&sets](std::size_t value) {
        return std::popcount(
            *std::min_element(sets[value].begin(), sets[value].end(),
                              [](Set a, Set b) { return std::popcount(a) < std::popcount(b); }));
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
    return static_cast<std::int64_t>(stops.size());
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

bool fits_int(std::int64_t step) {
    return step >= std::numeric_limits<int>::min() && step <= std::numeric_limits<int>::max();
}

}  // namespace

void BasisChoice::offer(std::vector<std::int64_t> steps) {
    if (!std::all_of(steps.begin(), steps.end(), fits_int)) return;
    std::sort(steps.begin(), steps.end(), [](std::int64_t a, std::int64_t b) {
        return std::pair(std::abs(a), a) < std::pair(std::abs(b), b);
    });
    Basis basis{std::vector<int>(steps.begin(), steps.end()), std::vector<Set>(values_.size())};
    const auto sets = sets_of(basis.steps);
    if (std::any_of(sets.begin(), sets.end(), [](const auto& s) { return s.empty(); })) return;
    basis.volume = pattern_ == Pattern::alltoall ? fewest_steps(sets, basis.used)
                                                 : grow_tree(sets, basis.used);
    offer(std::move(basis));
}

void BasisChoice::offer(Basis basis) {
    if (basis.steps.empty()) return;
    basis.phases = longest_chain(basis.used, basis.steps.size());
    const auto rank = [](const Basis& b) { return std::tuple(b.steps.size(), b.volume, b.phases); };
    if (empty() || rank(basis) < rank(best_)) best_ = std::move(basis);
}

BasisChoice::Masks BasisChoice::sets_of(const std::vector<int>& steps) const {
    Masks sets(values_.size());
    std::vector<std::int64_t> sums(std::size_t{1} << steps.size(), 0);
    for (std::size_t set = 1; set < sums.size(); ++set) {
        sums[set] = sums[set & (set - 1)] + steps[static_cast<std::size_t>(std::countr_zero(set))];
        const auto found = std::lower_bound(
            values_.begin(), values_.end(), sums[set],
            [](const Value& value, std::int64_t sum) { return value.value < sum; });
        if (found != values_.end() && found->value == sums[set])
            sets[static_cast<std::size_t>(found - values_.begin())].push_back(
                static_cast<Set>(set));
    }
    return sets;
}

std::int64_t BasisChoice::fewest_steps(const Masks& sets, std::vector<Set>& used) const {
    std::int64_t volume = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        used[i] = *std::min_element(sets[i].begin(), sets[i].end(), [](Set a, Set b) {
            return std::popcount(a) < std::popcount(b);
        });
        volume += values_[i].blocks * std::popcount(used[i]);
    }
    return volume;
}

}  // namespace carpool::routing
