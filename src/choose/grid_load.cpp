#include "choose/grid_load.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace carpool::choose {
namespace {

/// Adds up the load of all rounds on one rank.
class RankRounds {
public:
    void add(Level level, const RoundLoad& round) {
        auto& traffic = load_.at(level);
        ++traffic.messages;
        traffic.blocks += round.blocks;
        traffic.bytes += round.bytes;
        if (level == Level::network) between_nodes_.insert(round.phase);
    }

    Load load(std::int64_t phases) const {
        auto load = load_;
        load.phases = phases;
        load.phases_on_node = phases - static_cast<std::int64_t>(between_nodes_.size());
        return load;
    }

private:
    Load load_;
    std::set<int> between_nodes_;  // phases with a message to another node
};

std::vector<std::int64_t> by_phase(std::span<const RoundLoad> rounds) {
    std::vector<std::int64_t> counts;
    for (const auto& round : rounds) {
        const auto phase = static_cast<std::size_t>(round.phase);
        if (counts.size() <= phase) counts.resize(phase + 1, 0);
        ++counts[phase];
    }
    return counts;
}

/// The ranks to look at: all or, if they are many, some at all positions within rows and nodes. A
/// stride with a common factor with the number of ranks would miss positions.
std::vector<int> samples(std::size_t rounds, std::int64_t ranks) {
    constexpr std::size_t most_hops = 1 << 13;
    const auto most = most_hops / std::max<std::size_t>(1, rounds);
    const auto count = std::clamp<std::int64_t>(static_cast<std::int64_t>(most), 1, ranks);
    auto stride = ranks / count;
    while (std::gcd(stride, ranks) != 1) ++stride;
    std::vector<int> result;
    for (std::int64_t i = 0; i < count; ++i) result.push_back(static_cast<int>(i * stride % ranks));
    return result;
}

}  // namespace

std::vector<RoundLoad> rounds_of(const routing::Plan& plan) {
    const auto phases = plan.least_phase_of_rounds();
    std::vector<RoundLoad> rounds;
    for (int round = 0; round < plan.rounds(); ++round)
        rounds.push_back({phases[static_cast<std::size_t>(round)],
                          plan.first_stop(round + 1) - plan.first_stop(round), 0});
    return rounds;
}

Load load_of(const routing::Plan& plan, std::span<const RoundLoad> rounds,
             const topology::Grid& grid, const Machine& machine) {
    auto of_phase = by_phase(rounds);
    const auto phases = static_cast<std::int64_t>(of_phase.size());
    const auto looked_at =
        machine.nodes() ? samples(rounds.size(), grid.size()) : std::vector<int>{0};
    Load busiest;
    for (const int rank : looked_at) {
        const auto here = grid.coordinates(rank);
        RankRounds count;
        for (std::size_t round = 0; round < rounds.size(); ++round) {
            const int to = grid.rank_at(here, plan.hop(static_cast<int>(round)));
            if (!machine.nodes())
                count.add(machine.widest(), rounds[round]);
            else if (to != topology::no_rank)
                count.add(machine.level(rank, to), rounds[round]);
        }
        busiest = most(busiest, count.load(phases));
    }
    busiest.by_phase = std::move(of_phase);
    return busiest;
}

}  // namespace carpool::choose
