// SPDX-License-Identifier: MIT
#include "graphs.hpp"

#include <string>
#include <vector>

namespace families {
namespace {

using List = std::vector<int>;

NamedGraph random_of_density(int ranks, int percent, RandomSource& random) {
    return named_graph("random, " + std::to_string(percent) + " %", ranks, [&](int) {
        List list;
        for (int to = 0; to < ranks; ++to)
            if (random.between(1, 100) <= percent) list.push_back(to);
        return list;
    });
}

List tree_neighbors(int rank, int ranks) {
    List list;
    if (rank > 0) list.push_back((rank - 1) / 2);
    for (const int child : {2 * rank + 1, 2 * rank + 2})
        if (child < ranks) list.push_back(child);
    return list;
}

List hypercube_neighbors(int rank, int ranks) {
    List list;
    for (int bit = 1; bit < ranks; bit *= 2)
        if ((rank ^ bit) < ranks) list.push_back(rank ^ bit);
    return list;
}

/// All ranks of the node, and the rank with the same place on the next node.
List clique_neighbors(int rank, int ranks, int node) {
    List list;
    for (int to = rank / node * node; to < ranks && to < (rank / node + 1) * node; ++to)
        if (to != rank) list.push_back(to);
    list.push_back((rank + node) % ranks);
    return list;
}

}  // namespace

std::vector<NamedGraph> graphs(int ranks) {
    auto all = graph_cases(ranks);
    RandomSource random(static_cast<std::uint64_t>(ranks));
    all.push_back(named_graph("star both ways", ranks,
                              [&](int rank) { return rank == 0 ? all_but(0, ranks) : List{0}; }));
    all.push_back(named_graph("ring one way, twice, with self edges", ranks, [&](int rank) {
        return List{(rank + 1) % ranks, rank, (rank + 1) % ranks};
    }));
    all.push_back(named_graph("bipartite both ways", ranks, [&](int rank) {
        List list;
        for (int to = 0; to < ranks; ++to)
            if ((to < ranks / 2) != (rank < ranks / 2)) list.push_back(to);
        return list;
    }));
    all.push_back(
        named_graph("tree", ranks, [&](int rank) { return tree_neighbors(rank, ranks); }));
    all.push_back(named_graph("hypercube", ranks,
                              [&](int rank) { return hypercube_neighbors(rank, ranks); }));
    for (const int node : {2, 3, 8})
        all.push_back(named_graph("cliques of " + std::to_string(node), ranks,
                                  [&](int rank) { return clique_neighbors(rank, ranks, node); }));
    for (const int percent : {3, 20, 60}) all.push_back(random_of_density(ranks, percent, random));
    return all;
}

carpool::routing::RouteOptions options_for(int ranks) {
    carpool::routing::RouteOptions options;
    options.theta = 1 + ranks % 4;
    options.digits = {1 + ranks % 5, {}};
    options.carriers = 1 + ranks % 3;
    return options;
}

}  // namespace families
