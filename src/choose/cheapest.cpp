#include "choose/cheapest.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace carpool::choose {

/// To count a load is local, but not free: where what a candidate takes in any case is more than
/// another one takes in all, it is not counted.
Chosen cheapest(const Machine& machine, std::span<const Candidate> candidates) {
    CARPOOL_EXPECTS(!candidates.empty());
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return candidates[a].at_least < candidates[b].at_least;
    });
    Chosen best{candidates.size(), {}};
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

}  // namespace carpool::choose
