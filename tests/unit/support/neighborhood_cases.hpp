// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"
#include "topology/stencils.hpp"

#include <array>
#include <string>
#include <vector>

namespace cases {

struct Named {
    std::string name;
    carpool::topology::Neighborhood neighborhood;
};

/// A torus on which no two offsets of a test reach the same rank.
inline carpool::topology::Grid wide_torus(int dimensions) {
    const auto d = static_cast<std::size_t>(dimensions);
    return {std::vector<int>(d, 1 << 30), std::vector<bool>(d, true)};
}

/// Figure 2 of [2]: its allgather tree has 12 edges in one dimension order and 6 in the other.
inline carpool::topology::Neighborhood figure_2() {
    return {3, {-2, 1, 1, -1, 1, 1, 1, 1, 1, 2, 1, 1}};
}

/// Neighborhoods that are each unusual in a different way.
inline std::vector<Named> neighborhoods() {
    namespace topology = carpool::topology;
    const std::array radii{1, 3};
    return {
        {"nobody", {2, {}}},
        {"only itself", {1, {0}}},
        {"one neighbor", {1, {1}}},
        {"both neighbors on a ring", {1, {-1, 1}}},
        {"itself three times", {2, {0, 0, 0, 0, 0, 0}}},
        {"repetitions", {2, {1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1}}},
        {"beyond the dimensions", {2, {7, 0, -9, 4, 0, -5, 100, 100}}},
        {"coordinates far apart", {2, {1000, -1, 0, 3, -1000, 2}}},
        {"one dimension never used", {3, {1, 0, 1, -1, 0, 2, 0, 0, -1}}},
        {"figure 2", figure_2()},
        {"moore 1-d", topology::moore(1, 3)},
        {"moore 2-d", topology::moore(2, 1)},
        {"moore 2-d, radius 2", topology::moore(2, 2)},
        {"moore 3-d", topology::moore(3, 1)},
        {"box 2-d, asymmetric", topology::box(2, 4, -1)},
        {"box 3-d, asymmetric", topology::box(3, 4, -1)},
        {"box 4-d", topology::box(4, 3, -1)},
        {"von Neumann", topology::von_neumann(3, 2)},
        {"positive octant", topology::positive_octant(3, 2)},
        {"shales", topology::shales(2, radii)},
        {"seven dimensions", topology::box(7, 2, 0)},
    };
}

}  // namespace cases
