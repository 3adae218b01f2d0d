// SPDX-License-Identifier: MIT
#include "topology/mapping.hpp"

#include "topology/node_blocks.hpp"
#include "topology/node_growth.hpp"
#include "topology/node_swaps.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace carpool::topology {
namespace {

constexpr std::int64_t most_improved = 1 << 20;  // edges of a grid that is improved as a graph
constexpr std::int64_t most_swaps = 1 << 24;     // pairs of positions looked at
constexpr std::int64_t most_cuts = 1 << 26;      // edges looked at to compare rows of blocks

/// The best assignment of positions to nodes that has been considered.
class BestMapping {
public:
    BestMapping(std::vector<int> node_of, std::int64_t between)
        : node_of_(std::move(node_of)), between_(between) {}

    void consider(std::vector<int> node_of, std::int64_t between) {
        if (between >= between_) return;
        node_of_ = std::move(node_of);
        between_ = between;
    }

    void consider(const WeightedGraph& graph, std::vector<int> node_of) {
        const auto between = weight_between(graph, node_of);
        consider(std::move(node_of), between);
    }

    const std::vector<int>& node_of() const { return node_of_; }
    std::int64_t between() const { return between_; }

private:
    std::vector<int> node_of_;
    std::int64_t between_;
};

/// The node of each position if each rank takes the position of its number.
std::vector<int> unmapped_nodes(const Nodes& nodes) {
    std::vector<int> node_of;
    for (int rank = 0; rank < nodes.ranks(); ++rank) node_of.push_back(nodes.node(rank));
    return node_of;
}

std::vector<int> sizes_of(const Nodes& nodes) {
    std::vector<int> sizes;
    for (int node = 0; node < nodes.count(); ++node)
        sizes.push_back(static_cast<int>(nodes.ranks_of(node).size()));
    return sizes;
}

/// The size of all nodes, if they have the same size.
std::optional<int> common_size(const std::vector<int>& sizes) {
    const auto other = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>());
    if (sizes.empty() || other != sizes.end()) return {};
    return sizes.front();
}

/// The position of each rank: the positions of a node go to its ranks in ascending order.
std::vector<int> positions_of(const Nodes& nodes, const std::vector<int>& node_of) {
    std::vector<std::size_t> given(static_cast<std::size_t>(nodes.count()));
    std::vector<int> positions(node_of.size());
    for (std::size_t position = 0; position < node_of.size(); ++position) {
        const int node = node_of[position];
        const int rank = nodes.ranks_of(node)[given[static_cast<std::size_t>(node)]++];
        positions[static_cast<std::size_t>(rank)] = static_cast<int>(position);
    }
    return positions;
}

/// Cuts the grid, block after block, into nodes.
std::vector<int> cut(const Grid& grid, const std::vector<int>& block,
                     const std::vector<int>& sizes) {
    std::vector<int> dims;
    std::vector<bool> periods;
    for (int k = 0; k < grid.dimensions(); ++k) {
        dims.push_back(grid.dim(k));
        periods.push_back(grid.periodic(k));
    }
    const Grid in_blocks(std::move(dims), std::move(periods), block);
    const std::vector<int> nowhere(block.size());
    std::vector<int> node_of(static_cast<std::size_t>(grid.size()));
    int number = 0;
    for (std::size_t node = 0; node < sizes.size(); ++node)
        for (int i = 0; i < sizes[node]; ++i) {
            const int position = grid.rank_at(in_blocks.coordinates(number++), nowhere);
            node_of[static_cast<std::size_t>(position)] = static_cast<int>(node);
        }
    return node_of;
}

/// Considers rows of all blocks that tile the grid, as far as the budget lasts.
void consider_cuts(BestMapping& best, const Grid& grid, const Neighborhood& neighborhood,
                   std::span<const int> weights, const std::vector<int>& sizes) {
    auto left = most_cuts;
    for (const auto& block : tiling_blocks(grid, *std::max_element(sizes.begin(), sizes.end()))) {
        auto node_of = cut(grid, block, sizes);
        const auto between = weight_between(grid, neighborhood, weights, node_of);
        best.consider(std::move(node_of), between);
        left -= grid.size() * neighborhood.size();
        if (left <= 0) return;
    }
}

void consider_blocks(BestMapping& best, const Grid& grid, const Neighborhood& neighborhood,
                     std::span<const int> weights, const std::vector<int>& sizes) {
    const auto size = common_size(sizes);
    const auto block = size ? node_block(grid, neighborhood, weights, *size) : std::nullopt;
    if (!block) return consider_cuts(best, grid, neighborhood, weights, sizes);
    best.consider(cut(grid, *block, sizes), weight_leaving(grid, neighborhood, weights, *block));
}

/// Considers two improved assignments: the best so far, and nodes that have been grown.
void improve(BestMapping& best, const WeightedGraph& graph, const std::vector<int>& sizes) {
    auto grown = swapped_nodes(graph, grown_nodes(graph, sizes), most_swaps);
    auto improved = swapped_nodes(graph, best.node_of(), most_swaps);
    best.consider(graph, std::move(improved));
    best.consider(graph, std::move(grown));
}

/// Is it less by a tenth? Rules that combine messages send along the dimensions, and their messages
/// stay on a node more often if its shape is regular.
bool clearly_less(const BestMapping& best, const BestMapping& than) {
    return best.between() <= than.between() - than.between() / 10;
}

Mapping mapping(const Nodes& nodes, const BestMapping& best, std::int64_t unmapped) {
    return {positions_of(nodes, best.node_of()), best.between(), unmapped};
}

}  // namespace

Mapping mapping_of(const Grid& grid, const Neighborhood& neighborhood, std::span<const int> weights,
                   const Nodes& nodes) {
    auto node_of = unmapped_nodes(nodes);
    const auto unmapped = weight_between(grid, neighborhood, weights, node_of);
    BestMapping regular(std::move(node_of), unmapped);
    if (unmapped == 0) return mapping(nodes, regular, unmapped);
    const auto sizes = sizes_of(nodes);
    consider_blocks(regular, grid, neighborhood, weights, sizes);
    if (grid.size() * neighborhood.size() > most_improved) return mapping(nodes, regular, unmapped);
    auto improved = regular;
    improve(improved, weighted_graph_of(grid, neighborhood, weights), sizes);
    return mapping(nodes, clearly_less(improved, regular) ? improved : regular, unmapped);
}

Mapping mapping_of(const WeightedGraph& graph, const Nodes& nodes) {
    auto node_of = unmapped_nodes(nodes);
    const auto unmapped = weight_between(graph, node_of);
    BestMapping best(std::move(node_of), unmapped);
    if (unmapped > 0) improve(best, graph, sizes_of(nodes));
    return mapping(nodes, best, unmapped);
}

}  // namespace carpool::topology
