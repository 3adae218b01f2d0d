// SPDX-License-Identifier: MIT
#pragma once

#include "paper_matching.hpp"
#include "random_source.hpp"
#include "routing/matching.hpp"
#include "routing/simulation.hpp"

#include <cstdint>
#include <vector>

/// The friends of each rank, in ascending order of ranks; symmetric.
using FriendGraph = std::vector<std::vector<carpool::routing::Friend>>;

struct Pairing {
    std::vector<carpool::routing::Match> matches;
    std::int64_t supersteps;
    std::int64_t messages;  ///< on all ranks

    int partner(std::size_t rank) const { return matches[rank].partner; }
};

template <typename ProgramOf>
Pairing pairing(const FriendGraph& graph, ProgramOf program_of) {
    using namespace carpool::routing;
    auto simulated = simulate<Match>(static_cast<int>(graph.size()), program_of);
    Pairing pairing{std::move(simulated.results), simulated.traffic.front().supersteps, 0};
    for (const auto& traffic : simulated.traffic) pairing.messages += traffic.messages;
    return pairing;
}

/// @param by_rank  as in match()
inline Pairing matched(const FriendGraph& graph, bool by_rank = false) {
    const int ranks = static_cast<int>(graph.size());
    return pairing(graph, [&](int rank) {
        return carpool::routing::match(rank, ranks, graph[static_cast<std::size_t>(rank)], by_rank);
    });
}

inline Pairing matched_as_printed(const FriendGraph& graph) {
    return pairing(graph, [&](int rank) {
        return match_as_printed(rank, graph[static_cast<std::size_t>(rank)]);
    });
}

inline void befriend(FriendGraph& graph, int a, int b, int common) {
    graph[static_cast<std::size_t>(a)].push_back({b, common});
    graph[static_cast<std::size_t>(b)].push_back({a, common});
}

inline FriendGraph complete_friends(int ranks, int common) {
    FriendGraph graph(static_cast<std::size_t>(ranks));
    for (int a = 0; a < ranks; ++a)
        for (int b = 0; b < a; ++b) befriend(graph, b, a, common);
    return graph;
}

/// About one pair in `scarcity` are friends. There are few different numbers, so ties are frequent.
inline FriendGraph random_friends(RandomSource& random, int ranks) {
    FriendGraph graph(static_cast<std::size_t>(ranks));
    const int scarcity = random.between(1, 4);
    const int most = random.between(1, random.one_in(2) ? 3 : 100);
    for (int a = 0; a < ranks; ++a)
        for (int b = 0; b < a; ++b)
            if (random.one_in(scarcity)) befriend(graph, b, a, random.between(1, most));
    return graph;
}
