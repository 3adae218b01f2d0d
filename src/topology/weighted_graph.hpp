// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// The weight of what one position of a graph sends to another.
struct WeightedEdge {
    int from;
    int to;
    std::int64_t weight;
};

/// The total weight of the edges between each two positions, in both directions. Edges of weight 0
/// and edges from a position to itself are left out.
class WeightedGraph {
public:
    /// The total weight of the edges between a position and a peer.
    struct Link {
        int peer;
        std::int64_t weight;
    };

    /// @pre weights are at least 0
    WeightedGraph(int size, std::span<const WeightedEdge> edges);

    int size() const { return static_cast<int>(first_.size()) - 1; }

    /// The links of one position, by ascending peer.
    std::span<const Link> links(int position) const {
        const auto p = static_cast<std::size_t>(position);
        return std::span(links_).subspan(first_[p], first_[p + 1] - first_[p]);
    }

private:
    std::vector<std::size_t> first_;  // per position, and the end
    std::vector<Link> links_;
};

/// The weight of offset i; 1 if no weights are given.
inline std::int64_t weight_of(std::span<const int> weights, int i) {
    return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)];
}

/// The graph of a grid, with its ranks as positions. @param weights  per offset; 1 each where none
/// are given
WeightedGraph weighted_graph_of(const Grid& grid, const Neighborhood& neighborhood,
                                std::span<const int> weights);

/// The weight of the edges between positions on different nodes. @param node_of  per position
std::int64_t weight_between(const WeightedGraph& graph, std::span<const int> node_of);

/// The same for a grid, without a graph in memory.
std::int64_t weight_between(const Grid& grid, const Neighborhood& neighborhood,
                            std::span<const int> weights, std::span<const int> node_of);

}  // namespace carpool::topology
