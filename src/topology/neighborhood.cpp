// SPDX-License-Identifier: MIT
#include "topology/neighborhood.hpp"

#include <algorithm>
#include <utility>

namespace carpool::topology {

Neighborhood::Neighborhood(int dimensions, std::vector<int> flat)
    : dimensions_(dimensions), flat_(std::move(flat)) {}

bool is_zero(std::span<const int> offset) {
    return std::all_of(offset.begin(), offset.end(), [](int c) { return c == 0; });
}

}  // namespace carpool::topology
