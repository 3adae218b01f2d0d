// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::topology {

/// The lengths of all blocks that tile a grid and hold at most `most_positions` positions,
/// including blocks of one position.
std::vector<std::vector<int>> tiling_blocks(const Grid& grid, std::int64_t most_positions);

/// The weight of the edges that leave a block of these lengths, for all blocks together. It is
/// counted per offset and dimension, so it takes no longer on large grids. @pre the block tiles the
/// grid
std::int64_t weight_leaving(const Grid& grid, const Neighborhood& neighborhood,
                            std::span<const int> weights, std::span<const int> block);

/// Among the blocks of exactly `positions` positions that tile the grid, the one with the least
/// weight of leaving edges, the first of equal ones; nothing if there is none.
std::optional<std::vector<int>> node_block(const Grid& grid, const Neighborhood& neighborhood,
                                           std::span<const int> weights, std::int64_t positions);

}  // namespace carpool::topology
