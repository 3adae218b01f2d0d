// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <span>
#include <string>
#include <string_view>

namespace carpool::topology {

/// A family of stencils that text can name.
struct StencilFamily {
    std::string_view name;
    std::string_view alias;  ///< another name for it, or empty
    std::string_view arguments;
    std::string_view summary;
    std::string_view example;
    int least_arguments;
    int most_arguments;  ///< -1 for any number
    Neighborhood (*make)(int dimensions, std::span<const int> arguments);
    double (*most_offsets)(int dimensions, std::span<const int> arguments);
};

std::span<const StencilFamily> stencil_families();

/// "moore 3 1", "von_neumann 2 2", "positive_octant 3 1" (or "octant 3 1"), "shales 2 1 3",
/// "box 3 5 -1", or offsets one by one: "offsets 2: 0,1 0,-1 1,0", where "2:" is needed only if no
/// offset follows. Throws std::invalid_argument that says what is wrong and where, also for more
/// than 2^26 coordinates.
Neighborhood stencil_from_text(const std::string& text);

/// The stencil of a family with these dimensions and other arguments. Throws in the same way.
Neighborhood stencil_of(const StencilFamily& family, int dimensions,
                        std::span<const int> arguments);

/// "torus 4x4x4" is periodic in every dimension, "mesh 8x8" in none, "grid 4px8" in those marked p.
/// Throws std::invalid_argument.
Grid grid_from_text(const std::string& text);

std::string to_text(const Grid& grid);

}  // namespace carpool::topology
