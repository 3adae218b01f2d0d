// SPDX-License-Identifier: MIT
#pragma once

#include "collective_ranks.hpp"
#include "graph_exchange.hpp"
#include "random_exchange.hpp"
#include "schedule/merged.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

/// Exchanges of all kinds, to be merged.
namespace random_bundles {

using namespace carpool;
using schedule::Schedule;

/// An exchange on all ranks, and its expected result.
struct Member {
    std::vector<Schedule> schedules;
    schedule::Postcondition expected;
    schedule::SumOrder order = schedule::SumOrder::any;
};

inline int most_send_slots(const Member& member) {
    int most = 0;
    for (const auto& schedule : member.schedules) most = std::max(most, schedule.send_slots);
    return most;
}

inline Member on_grid(RandomSource& random, const topology::Grid& grid) {
    const auto pattern = patterns[random.between(0, 1)];
    auto neighborhood = random_neighborhood(random, grid.dimensions());
    auto bytes = equal_blocks(neighborhood, pattern, random.between(1, 40));
    const Exchange exchange{grid, std::move(neighborhood), pattern, std::move(bytes)};
    const auto rules = routing::grid_rules();
    const auto& rule =
        *rules[static_cast<std::size_t>(random.between(0, static_cast<int>(rules.size()) - 1))];
    return {exchange.schedules(rule), exchange.expected()};
}

inline Member on_graph(RandomSource& random, int ranks) {
    const auto operations = schedule::operations();
    const auto rules = routing::graph_rules();
    const GraphExchange exchange{
        topology::random_graph(ranks, 0.1 * random.between(0, 9), random.between(1, 1 << 20)),
        operations[static_cast<std::size_t>(random.between(0, 3))],
        {},
        random.between(1, 40)};
    const auto& rule =
        *rules[static_cast<std::size_t>(random.between(0, static_cast<int>(rules.size()) - 1))];
    return {exchange.schedules(rule), exchange.expected()};
}

inline Member ordinary(RandomSource& random, int ranks) {
    using namespace collectives;
    const auto all = kinds();
    const auto kind =
        all[static_cast<std::size_t>(random.between(0, static_cast<int>(all.size()) - 1))];
    auto problem = collective_ranks::equal_blocks(kind, ranks, 8 * random.between(1, 20));
    problem.root = has_root(kind) ? random.between(0, ranks - 1) : 0;
    std::vector<const Algorithm*> usable;
    for (const auto& algorithm : algorithms(kind))
        if (algorithm.applies(problem)) usable.push_back(&algorithm);
    const auto& algorithm =
        *usable[static_cast<std::size_t>(random.between(0, static_cast<int>(usable.size()) - 1))];
    const std::vector problems{problem};
    return {collective_ranks::schedules(algorithm, problems),
            expected(problems, algorithm.pieces(problem)), order_of(problem)};
}

/// The number of send slots of a member is the same on all ranks, so that block numbers shift
/// equally on all of them.
inline std::vector<Member> random_members(RandomSource& random,
                                          const carpool::topology::Grid& grid) {
    const auto ranks = static_cast<int>(grid.size());
    std::vector<Member> members;
    for (int n = random.between(0, 5); n > 0; --n) {
        const int what = random.between(0, 2);
        members.push_back(what == 0   ? on_grid(random, grid)
                          : what == 1 ? on_graph(random, ranks)
                                      : ordinary(random, ranks));
        const int slots = most_send_slots(members.back());
        for (auto& schedule : members.back().schedules) schedule.send_slots = slots;
    }
    return members;
}

inline std::vector<Schedule> merged(const std::vector<Member>& members, std::int64_t longest) {
    std::vector<Schedule> all;
    for (std::size_t rank = 0; !members.empty() && rank < members[0].schedules.size(); ++rank) {
        std::vector<const Schedule*> of_rank;
        for (const auto& member : members) of_rank.push_back(&member.schedules[rank]);
        all.push_back(schedule::merged(of_rank, longest));
    }
    return all;
}

inline schedule::Postcondition expected(const std::vector<Member>& members) {
    schedule::Postcondition all(members.empty() ? 0 : members[0].expected.size());
    int before = 0;
    for (const auto& member : members) {
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            for (auto content : member.expected[rank]) {
                for (auto& origin : content.blocks) origin.send_slot += before;
                all[rank].push_back(std::move(content));
            }
        before += most_send_slots(member);
    }
    return all;
}

/// If a barrier is among the members, data may arrive twice, also that of all other members.
inline schedule::SumOrder order_of(const std::vector<Member>& members) {
    const bool barrier = std::any_of(members.begin(), members.end(), [](const Member& member) {
        return member.order == schedule::SumOrder::repeated;
    });
    return barrier ? schedule::SumOrder::repeated : schedule::SumOrder::any;
}

}  // namespace random_bundles
