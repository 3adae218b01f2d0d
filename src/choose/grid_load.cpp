// SPDX-License-Identifier: MIT
#include "choose/grid_load.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carpool::choose {
namespace {

/// Adds up the load of all rounds on one rank, which sends and receives a message in each.
class RankRounds {
public:
    explicit RankRounds(std::size_t phases) : phases_(phases) {}

    void add(Level level, const RoundLoad& round) {
        auto& phase = phases_[static_cast<std::size_t>(round.phase)];
        for (auto* const side : {&phase.sent, &phase.received})
            (*side)[index_of(level)] += Traffic{1, round.blocks, round.bytes};
        if (round.blocks > 1) phase.copied += 2 * round.bytes;
    }

    Load load() const {
        auto load = choose::load_of(phases_);
        load.go_along(phases_);
        return load;
    }

private:
    std::vector<PhaseLoad> phases_;
};

std::size_t phases_of(std::span<const RoundLoad> rounds) {
    int phases = 0;
    for (const auto& round : rounds) phases = std::max(phases, round.phase + 1);
    return static_cast<std::size_t>(phases);
}

/// The same as most(). The path is that of the rank with more messages, for which costs are linear
/// in the messages of a rank; or, with adapters, has the most of both ranks in each phase.
Load busier(const Load& a, const Load& b, const Machine& machine) {
    auto load = most(a, b);
    load.path = b.messages() > a.messages() || a.path.empty() ? b.path : a.path;
    for (std::size_t p = 0; machine.overlaps() && p < a.path.size(); ++p)
        load.path[p] = most(a.path[p], b.path[p]);
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

/// Adds what passes the adapter of a node in each phase, if all ranks of the node send the mean.
/// @param sum  per phase, what the ranks that were looked at send to other nodes
void share_adapters(Load& load, const std::vector<Traffic>& sum, std::int64_t looked_at,
                    std::int64_t ranks_of_node) {
    const auto share = [&](std::int64_t number) {
        return (number * ranks_of_node + looked_at - 1) / looked_at;
    };
    for (std::size_t p = 0; p < sum.size(); ++p) {
        auto& adapter = load.path[p].adapter;
        adapter = {share(sum[p].messages), share(sum[p].blocks), share(sum[p].bytes)};
        load.adapter += adapter;
    }
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
    std::vector<Traffic> sum(phases);
    for (const int rank : looked_at) {
        const auto here = grid.coordinates(rank);
        for (const int direction : {1, -1}) {
            RankRounds count(phases);
            for (std::size_t round = 0; round < rounds.size(); ++round) {
                const int peer = grid.rank_at(here, plan.hop(static_cast<int>(round)), direction);
                if (peer != topology::no_rank) count.add(machine.level(rank, peer), rounds[round]);
            }
            const auto load = count.load();
            busiest = busier(busiest, load, machine);
            for (std::size_t p = 0; direction == 1 && p < phases; ++p)
                sum[p] += load.path[p].sent[index_of(Level::network)];
        }
    }
    share_adapters(busiest, sum, std::ssize(looked_at), machine.nodes()->most_ranks());
    return busiest;
}

}  // namespace carpool::choose
