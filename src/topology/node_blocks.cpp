// SPDX-License-Identifier: MIT
#include "topology/node_blocks.hpp"

#include "topology/weighted_graph.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace carpool::topology {
namespace {

std::int64_t positions_in(std::span<const int> block) {
    return std::accumulate(block.begin(), block.end(), std::int64_t{1}, std::multiplies<>());
}

/// The number of coordinates of dimension k from which offset c leads to a coordinate of the grid.
std::int64_t leading_somewhere(const Grid& grid, int k, std::int64_t c) {
    const std::int64_t dim = grid.dim(k);
    return grid.periodic(k) ? dim : std::max<std::int64_t>(0, dim - std::abs(c));
}

/// The number of coordinates from which offset c stays in the same interval of `length`
/// coordinates. On a torus it may do so in either direction.
std::int64_t staying(const Grid& grid, int k, std::int64_t c, std::int64_t length) {
    const std::int64_t dim = grid.dim(k);
    const auto by_way_of = [length](std::int64_t steps) {
        return std::max<std::int64_t>(0, length - steps);
    };
    if (!grid.periodic(k)) return dim / length * by_way_of(std::abs(c));
    const auto steps = (c % dim + dim) % dim;
    return dim / length * (by_way_of(steps) + by_way_of(dim - steps));
}

}  // namespace

std::vector<std::vector<int>> tiling_blocks(const Grid& grid, std::int64_t most_positions) {
    std::vector<std::vector<int>> found{{}};
    for (int k = 0; k < grid.dimensions(); ++k) {
        std::vector<std::vector<int>> longer;
        for (const auto& block : found)
            for (int length = 1; length <= grid.dim(k); ++length) {
                if (positions_in(block) * length > most_positions) break;
                if (grid.dim(k) % length != 0) continue;
                longer.push_back(block);
                longer.back().push_back(length);
            }
        found = std::move(longer);
    }
    return found;
}

std::int64_t weight_leaving(const Grid& grid, const Neighborhood& neighborhood,
                            std::span<const int> weights, std::span<const int> block) {
    std::int64_t sum = 0;
    for (int i = 0; i < neighborhood.size(); ++i) {
        std::int64_t all = 1;
        std::int64_t stay = 1;
        for (int k = 0; k < grid.dimensions(); ++k) {
            const auto at = static_cast<std::size_t>(k);
            const int c = neighborhood[i][at];
            all *= leading_somewhere(grid, k, c);
            stay *= staying(grid, k, c, block[at]);
        }
        sum += (all - stay) * weight_of(weights, i);
    }
    return sum;
}

std::optional<std::vector<int>> node_block(const Grid& grid, const Neighborhood& neighborhood,
                                           std::span<const int> weights, std::int64_t positions) {
    std::optional<std::vector<int>> best;
    std::int64_t least = 0;
    for (auto& block : tiling_blocks(grid, positions)) {
        if (positions_in(block) != positions) continue;
        const auto leaving = weight_leaving(grid, neighborhood, weights, block);
        if (best && leaving >= least) continue;
        least = leaving;
        best = std::move(block);
    }
    return best;
}

}  // namespace carpool::topology
