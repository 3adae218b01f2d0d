#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::topology {

/// Lengths of all blocks that tile a grid and hold no more than so many positions; those of one
/// position too.
std::vector<std::vector<int>> tiling_blocks(const Grid& grid, std::int64_t most_positions);

/// The weight of what leaves a block of these lengths, of all blocks together. Counted per offset
/// and dimension, so it takes no longer on large grids. @pre the block tiles the grid
std::int64_t weight_leaving(const Grid& grid, const Neighborhood& neighborhood,
                            std::span<const int> weights, std::span<const int> block);

/// Of the blocks of exactly so many positions that tile the grid, the one that least leaves; of
/// equal ones the first. None where none tiles it.
std::optional<std::vector<int>> node_block(const Grid& grid, const Neighborhood& neighborhood,
                                           std::span<const int> weights, std::int64_t positions);

}  // namespace carpool::topology
