#include "choose/grid_load.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace carpool::choose {
namespace {

/// Adds up the load of all rounds on one rank.
class RankRounds {
public:
    explicit RankRounds(std::size_t phases) { load_.by_phase.resize(phases, 0); }

    void add(Level level, const RoundLoad& round) {
        auto& traffic = load_.at(level);
        ++traffic.messages;
        traffic.blocks += round.blocks;
        traffic.bytes += round.bytes;
        ++load_.by_phase[static_cast<std::size_t>(round.phase)];
        if (level == Level::network) between_nodes_.insert(round.phase);
    }

    Load load() const {
        auto load = load_;
        load.phases = std::ssize(load.by_phase);
        load.phases_on_node = load.phases - static_cast<std::int64_t>(between_nodes_.size());
        return load;
    }

private:
    Load load_;
    std::set<int> between_nodes_;  // phases with a message to another node
};

std::size_t phases_of(std::span<const RoundLoad> rounds) {
    int phases = 0;
    for (const auto& round : rounds) phases = std::max(phases, round.phase + 1);
    return static_cast<std::size_t>(phases);
}

/// The same as most(), with the phases of the messages of the rank that has more.
Load busier(const Load& a, const Load& b) {
    auto load = most(a, b);
    load.by_phase = b.messages() > a.messages() ? b.by_phase : a.by_phase;
    return load;
}

/// The load of a rank all of whose neighbors exist.
Load load_of_all(std::span<const RoundLoad> rounds, std::size_t phases, Level level) {
    RankRounds count(phases);
    for (const auto& round : rounds) count.add(level, round);
    return count.load();
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
    const auto phases = phases_of(rounds);
    if (!machine.nodes()) return load_of_all(rounds, phases, machine.widest());
    const auto looked_at = samples(rounds.size(), grid.size());
    Load busiest;
    for (const int rank : looked_at) {
        const auto here = grid.coordinates(rank);
        for (const int direction : {1, -1}) {
            RankRounds count(phases);
            for (std::size_t round = 0; round < rounds.size(); ++round) {
                const int peer = grid.rank_at(here, plan.hop(static_cast<int>(round)), direction);
                if (peer != topology::no_rank) count.add(machine.level(rank, peer), rounds[round]);
            }
            busiest = busier(busiest, count.load());
        }
    }
    return busiest;
}

}  // namespace carpool::choose
