// SPDX-License-Identifier: MIT
#include "choose/cheapest.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace carpool::choose {

/// Counting a load is local, but not free: the load of a candidate is not counted if its lower
/// bound is at least the cost of another one.
Contender cheapest(const Machine& machine, std::span<const Candidate> candidates) {
    CARPOOL_EXPECTS(!candidates.empty());
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return candidates[a].at_least < candidates[b].at_least;
    });
    Contender best{candidates.size(), {}};
    double least = std::numeric_limits<double>::infinity();
    for (const auto number : order) {
        if (best.number < candidates.size() && candidates[number].at_least >= least) break;
        auto load = candidates[number].load();
        const double cost = estimate(machine, load);
        const bool first = best.number == candidates.size();
        if (first || cost < least || (cost == least && number < best.number))
            best = {number, std::move(load)};
        least = std::min(least, cost);
    }
    return best;
}

std::vector<Contender> front_runners(const Machine& machine, std::span<const Candidate> candidates,
                                     std::size_t most, double factor) {
    CARPOOL_EXPECTS(!candidates.empty() && most > 0, candidates.size(), most);
    std::vector<std::pair<double, Contender>> runners;
    for (std::size_t number = 0; number < candidates.size(); ++number) {
        auto load = candidates[number].load();
        const double cost = estimate(machine, load);
        runners.push_back({cost, {number, std::move(load)}});
    }
    std::ranges::stable_sort(runners, {}, &std::pair<double, Contender>::first);
    std::vector<Contender> result;
    for (auto& [cost, chosen] : runners)
        if (result.empty() || (result.size() < most && cost <= factor * runners.front().first))
            result.push_back(std::move(chosen));
    return result;
}

}  // namespace carpool::choose
