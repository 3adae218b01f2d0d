// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <string>
#include <vector>

namespace families {

/// All lists of at most `dimensions` factors of at least 2 with this product, in every order; for
/// one rank, lists of ones.
std::vector<std::vector<int>> all_dims(int ranks, int dimensions);

/// Grids of all these dimensions, with every choice of periodic ones.
std::vector<carpool::topology::Grid> all_grids(int ranks, int dimensions);

struct Stencil {
    std::string name;
    carpool::topology::Neighborhood neighborhood;
};

/// "4 x 3 torus in dimensions 0": the dimensions and which of them are periodic.
std::string described(const carpool::topology::Grid& grid);

}  // namespace families
