#include "sparse/strategy.hpp"

#include "routing/digits.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace carpool::sparse {
namespace {

int bits_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

constexpr double handling = 3e-6;  // seconds for a message to be put together and taken apart

/// What strategies cost in seconds: the messages of all ranks that share a core, and waits.
class Costs {
public:
    Costs(const choose::CostModel& model, const Demand& demand, int ranks, double ranks_per_core)
        : model_(model),
          degree_(static_cast<double>(demand.degree)),
          flow_(static_cast<double>(demand.flow)),
          ranks_(ranks),
          ranks_per_core_(ranks_per_core) {}

    /// The messages, and an agreement up and down a tree.
    double direct() const {
        const double agreement =
            2 * (ranks_per_core_ * model_.alpha + bits_of(ranks_) * model_.sigma);
        return ranks_per_core_ * traffic(degree_, flow_) + model_.sigma + agreement;
    }

    /// One message for each partner, whatever there is to send.
    double digits(const Strategy& strategy) const {
        const auto phases = static_cast<double>(strategy.factors.size());
        const double messages =
            std::accumulate(strategy.factors.begin(), strategy.factors.end(), 0.0) - phases;
        const double bytes = routing::mean_hops(strategy.factors) * combined(strategy);
        return ranks_per_core_ * traffic(messages, bytes) + phases * model_.sigma +
               straight(strategy);
    }

    /// Two messages of each rank, and all that there are on the core of rank 0.
    double star(const Strategy& strategy) const {
        return traffic(std::max(ranks_ - 1.0, 2 * ranks_per_core_), ranks_ * combined(strategy)) +
               2 * model_.sigma + straight(strategy);
    }

private:
    bool goes_straight(const Strategy& strategy) const {
        return flow_ > degree_ * static_cast<double>(strategy.longest);
    }
    double combined(const Strategy& strategy) const { return goes_straight(strategy) ? 0 : flow_; }
    double straight(const Strategy& strategy) const {
        return goes_straight(strategy) ? ranks_per_core_ * traffic(degree_, flow_) : 0;
    }
    double traffic(double messages, double bytes) const {
        return messages * (model_.alpha + handling) + bytes * model_.beta;
    }

    choose::CostModel model_;
    double degree_, flow_;
    int ranks_;
    double ranks_per_core_;
};

std::int64_t length(double bytes) { return static_cast<std::int64_t>(std::min(bytes, 1e18)); }

}  // namespace

Strategy direct_strategy() { return {Strategy::Kind::direct, {}, length(1e18)}; }

/// Longer parcels cost more by the hops beyond the first, and the copies, than a message of their
/// own.
Strategy digit_strategy(const choose::CostModel& model, std::vector<int> factors) {
    const double hops = std::max(1.0, routing::mean_hops(factors));
    return {Strategy::Kind::digits, std::move(factors), length(model.alpha / (model.beta * hops))};
}

/// One core carries everything in and out; messages of their own would be on all cores.
Strategy star_strategy(const choose::CostModel& model, double cores) {
    return {Strategy::Kind::star,
            {},
            length((model.alpha + handling) / (2 * model.beta * std::max(1.0, cores)))};
}

Strategy cheapest_strategy(const choose::CostModel& model, const Demand& demand, int ranks,
                           double ranks_per_core) {
    const Costs costs(model, demand, ranks, ranks_per_core);
    auto best = direct_strategy();
    double least = costs.direct();
    const auto try_way = [&](Strategy strategy, double cost) {
        if (cost >= least) return;
        least = cost;
        best = std::move(strategy);
    };
    for (int count = 1; count <= bits_of(ranks); ++count) {
        auto strategy = digit_strategy(model, routing::near_equal_factors(ranks, count));
        const double cost = costs.digits(strategy);
        try_way(std::move(strategy), cost);
    }
    auto star = star_strategy(model, ranks / ranks_per_core);
    const double cost = costs.star(star);
    try_way(std::move(star), cost);
    return best;
}

}  // namespace carpool::sparse
