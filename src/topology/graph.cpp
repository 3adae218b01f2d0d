// SPDX-License-Identifier: MIT
#include "topology/graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace carpool::topology {

std::vector<Edge> labelled(std::span<const int> peers) {
    std::map<int, int> seen;
    std::vector<Edge> edges;
    edges.reserve(peers.size());
    for (const int peer : peers) edges.push_back({peer, seen[peer]++});
    return edges;
}

Adjacency adjacency(const Grid& grid, const Neighborhood& neighborhood, int rank) {
    const auto here = grid.coordinates(rank);
    Adjacency edges;
    for (int i = 0; i < neighborhood.size(); ++i) {
        edges.out.push_back({grid.rank_at(here, neighborhood[i]), i});
        edges.in.push_back({grid.rank_at(here, neighborhood[i], -1), i});
    }
    return edges;
}

Graph graph_of(const Grid& grid, const Neighborhood& neighborhood) {
    Graph graph;
    for (int rank = 0; rank < grid.size(); ++rank)
        graph.push_back(adjacency(grid, neighborhood, rank));
    return graph;
}

Graph graph_of_targets(std::span<const std::vector<int>> targets) {
    Graph graph(targets.size());
    for (std::size_t rank = 0; rank < targets.size(); ++rank) {
        graph[rank].out = labelled(targets[rank]);
        for (const auto& [peer, label] : graph[rank].out)
            graph[static_cast<std::size_t>(peer)].in.push_back({static_cast<int>(rank), label});
    }
    return graph;
}

/// Ranks are skipped by the geometric distribution, so the cost of a sparse graph is proportional
/// to its number of edges.
Graph random_graph(int ranks, double density, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    const double absent = std::log1p(-std::min(density, 1.0));
    const auto skipped = [&] {
        const double uniform = (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53;
        return density >= 1 ? 0.0 : std::floor(std::log(uniform) / absent);
    };
    std::vector<std::vector<int>> targets(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks && density > 0; ++rank)
        for (double to = skipped(); to < ranks; to += 1 + skipped())
            if (static_cast<int>(to) != rank)
                targets[static_cast<std::size_t>(rank)].push_back(static_cast<int>(to));
    return graph_of_targets(targets);
}

Adjacency transposed(const Adjacency& edges) { return {edges.in, edges.out}; }

}  // namespace carpool::topology
