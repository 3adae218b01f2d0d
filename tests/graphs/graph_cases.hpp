// SPDX-License-Identifier: MIT
#pragma once

#include "../unit/support/random_source.hpp"

#include <string>
#include <utility>
#include <vector>

/// Per rank, the ranks that its edges lead to, in its order. Knows nothing of Carpool.
using Targets = std::vector<std::vector<int>>;

struct NamedGraph {
    std::string name;
    Targets targets;
};

/// Lists the targets of each rank as `listed(rank)` says.
template <typename Listed>
NamedGraph named_graph(const std::string& name, int ranks, Listed listed) {
    Targets targets;
    for (int rank = 0; rank < ranks; ++rank) targets.push_back(listed(rank));
    return {name, std::move(targets)};
}

inline std::vector<int> all_but(int rank, int ranks) {
    std::vector<int> others;
    for (int other = 0; other < ranks; ++other)
        if (other != rank) others.push_back(other);
    return others;
}

inline std::vector<int> some(int ranks, int count, RandomSource& random) {
    std::vector<int> chosen;
    for (int i = 0; i < count; ++i) chosen.push_back(random.between(0, ranks - 1));
    return chosen;
}

/// Graphs of every kind on some ranks, the same at every call.
inline std::vector<NamedGraph> graph_cases(int ranks) {
    RandomSource random(static_cast<std::uint64_t>(ranks));
    using List = std::vector<int>;
    const auto half = ranks / 2;
    return {
        named_graph("empty", ranks, [](int) { return List{}; }),
        named_graph("star outward", ranks,
                    [&](int rank) { return rank == 0 ? all_but(0, ranks) : List{}; }),
        named_graph("star inward", ranks, [](int rank) { return rank == 0 ? List{} : List{0}; }),
        named_graph("path", ranks,
                    [&](int rank) { return rank + 1 < ranks ? List{rank + 1} : List{}; }),
        named_graph("ring", ranks,
                    [&](int rank) { return List{(rank + 1) % ranks, (rank + ranks - 1) % ranks}; }),
        named_graph("complete", ranks, [&](int rank) { return all_but(rank, ranks); }),
        named_graph("complete with self edges, twice", ranks,
                    [&](int rank) {
                        auto list = all_but(rank, ranks);
                        list.push_back(rank);
                        list.insert(list.end(), list.begin(), list.end());
                        return list;
                    }),
        named_graph("bipartite", ranks,
                    [&](int rank) {
                        List list;
                        for (int to = half; to < ranks && rank < half; ++to) list.push_back(to);
                        return list;
                    }),
        named_graph("self edges alone", ranks, [](int rank) { return List{rank, rank, rank}; }),
        named_graph("two halves", ranks,
                    [&](int rank) {
                        List list;
                        for (int to = 0; to < ranks; ++to)
                            if (to != rank && (to < half) == (rank < half)) list.push_back(to);
                        return list;
                    }),
        named_graph("one rank isolated", ranks,
                    [&](int rank) {
                        List list;
                        for (int to = 1; to < ranks && rank > 0; ++to) list.push_back(to);
                        return list;
                    }),
        named_graph("power law", ranks,
                    [&](int rank) {
                        List list;
                        for (int to = 0; to * (rank + 1) < ranks; ++to) list.push_back(to);
                        return list;
                    }),
        named_graph("random", ranks,
                    [&](int) { return some(ranks, random.between(0, ranks), random); }),
        named_graph("dense with multi-edges", ranks,
                    [&](int) { return some(ranks, 2 * ranks, random); }),
    };
}

inline Targets random_multigraph(RandomSource& random) {
    const int ranks = random.between(1, 40);
    const int most = random.between(0, random.one_in(3) ? 3 * ranks : ranks / 2 + 1);
    return named_graph("random", ranks,
                       [&](int) { return some(ranks, random.between(0, most), random); })
        .targets;
}
