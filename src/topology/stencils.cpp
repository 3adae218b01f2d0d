// SPDX-License-Identifier: MIT
#include "topology/stencils.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace carpool::topology {
namespace {

/// The offsets of [first, last]^d for which keep() is true, in lexicographic order.
template <typename Keep>
Neighborhood filtered_box(int dimensions, int first, int last, Keep keep) {
    std::vector<int> flat;
    std::vector<int> offset(static_cast<std::size_t>(dimensions), first);
    for (bool more = first <= last; more;) {
        if (keep(std::as_const(offset))) flat.insert(flat.end(), offset.begin(), offset.end());
        more = false;
        for (auto c = offset.rbegin(); c != offset.rend() && !more; ++c) {
            more = *c < last;
            *c = more ? *c + 1 : first;
        }
    }
    return {dimensions, std::move(flat)};
}

/// All offsets of at most `left` steps in the dimensions from k on, in lexicographic order. The
/// recursion ends when no steps are left, which bounds its depth in many dimensions.
void add_within(int left, std::size_t k, std::vector<int>& offset, std::vector<int>& flat) {
    if (k == offset.size() || left == 0) {
        if (!is_zero(offset)) flat.insert(flat.end(), offset.begin(), offset.end());
        return;
    }
    for (int c = -left; c <= left; ++c) {
        offset[k] = c;
        add_within(left - std::abs(c), k + 1, offset, flat);
    }
    offset[k] = 0;
}

int chebyshev(std::span<const int> offset) {
    int largest = 0;
    for (const int c : offset) largest = std::max(largest, std::abs(c));
    return largest;
}

}  // namespace

Neighborhood box(int dimensions, int n, int first) {
    return filtered_box(dimensions, first, first + n - 1, [](const auto&) { return true; });
}

Neighborhood moore(int dimensions, int radius) {
    return filtered_box(dimensions, -radius, radius, [](const auto& c) { return !is_zero(c); });
}

Neighborhood von_neumann(int dimensions, int radius) {
    std::vector<int> flat;
    std::vector<int> offset(static_cast<std::size_t>(dimensions));
    add_within(radius, 0, offset, flat);
    return {dimensions, std::move(flat)};
}

Neighborhood positive_octant(int dimensions, int radius) {
    return filtered_box(dimensions, 0, radius, [](const auto& c) { return !is_zero(c); });
}

Neighborhood shales(int dimensions, std::span<const int> radii) {
    const int largest = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
    return filtered_box(dimensions, -largest, largest, [radii](const auto& c) {
        return std::find(radii.begin(), radii.end(), chebyshev(c)) != radii.end();
    });
}

}  // namespace carpool::topology
