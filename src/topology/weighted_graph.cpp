// SPDX-License-Identifier: MIT
#include "topology/weighted_graph.hpp"

#include <algorithm>
#include <tuple>

namespace carpool::topology {
namespace {

/// The edges in both directions, sorted by their ends.
std::vector<WeightedEdge> ascending_both_ways(std::span<const WeightedEdge> edges) {
    std::vector<WeightedEdge> both;
    for (const auto& [from, to, weight] : edges) {
        if (weight == 0 || from == to) continue;
        both.push_back({from, to, weight});
        both.push_back({to, from, weight});
    }
    std::sort(both.begin(), both.end(), [](const auto& a, const auto& b) {
        return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    return both;
}

/// Calls visit(from, to, weight) for each edge of the grid that leads to a rank.
template <typename Visit>
void for_each_edge(const Grid& grid, const Neighborhood& neighborhood, std::span<const int> weights,
                   Visit visit) {
    for (int from = 0; from < grid.size(); ++from) {
        const auto here = grid.coordinates(from);
        for (int i = 0; i < neighborhood.size(); ++i)
            if (const int to = grid.rank_at(here, neighborhood[i]); to != no_rank)
                visit(from, to, weight_of(weights, i));
    }
}

}  // namespace

WeightedGraph::WeightedGraph(int size, std::span<const WeightedEdge> edges) {
    first_.reserve(static_cast<std::size_t>(size) + 1);
    int last = -1;  // the last position whose links have begun
    for (const auto& [from, to, weight] : ascending_both_ways(edges)) {
        for (; last < from; ++last) first_.push_back(links_.size());
        if (links_.size() > first_.back() && links_.back().peer == to)
            links_.back().weight += weight;
        else
            links_.push_back({to, weight});
    }
    first_.resize(static_cast<std::size_t>(size) + 1, links_.size());
}

WeightedGraph weighted_graph_of(const Grid& grid, const Neighborhood& neighborhood,
                                std::span<const int> weights) {
    std::vector<WeightedEdge> edges;
    for_each_edge(grid, neighborhood, weights, [&edges](int from, int to, std::int64_t weight) {
        edges.push_back({from, to, weight});
    });
    return {static_cast<int>(grid.size()), edges};
}

std::int64_t weight_between(const WeightedGraph& graph, std::span<const int> node_of) {
    const auto node = [node_of](int position) {
        return node_of[static_cast<std::size_t>(position)];
    };
    std::int64_t sum = 0;
    for (int position = 0; position < graph.size(); ++position)
        for (const auto& [peer, weight] : graph.links(position))
            if (peer > position && node(peer) != node(position)) sum += weight;
    return sum;
}

std::int64_t weight_between(const Grid& grid, const Neighborhood& neighborhood,
                            std::span<const int> weights, std::span<const int> node_of) {
    const auto node = [node_of](int position) {
        return node_of[static_cast<std::size_t>(position)];
    };
    std::int64_t sum = 0;
    for_each_edge(grid, neighborhood, weights, [&](int from, int to, std::int64_t weight) {
        if (node(from) != node(to)) sum += weight;
    });
    return sum;
}

}  // namespace carpool::topology
