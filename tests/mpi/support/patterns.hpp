// SPDX-License-Identifier: MIT
#pragma once

#include "coordinates.hpp"

#include <cstdlib>
#include <functional>
#include <random>

namespace carpool::tests {

/// All vectors with coordinates in [first, last] that pass the filter; the last coordinate runs
/// fastest.
inline Pattern box(std::string name, int d, int first, int last,
                   const std::function<bool(const std::vector<int>&)>& passes = nullptr) {
    Pattern pattern{std::move(name), d, {}};
    std::vector<int> at(static_cast<std::size_t>(d), first);
    for (;;) {
        if (!passes || passes(at))
            pattern.offsets.insert(pattern.offsets.end(), at.begin(), at.end());
        std::size_t k = at.size();
        while (k > 0 && at[k - 1] == last) at[--k] = first;
        if (k == 0) return pattern;
        ++at[k - 1];
    }
}

inline int largest(const std::vector<int>& v) {
    int norm = 0;
    for (int c : v) norm = std::max(norm, std::abs(c));
    return norm;
}

inline int total(const std::vector<int>& v) {
    int norm = 0;
    for (int c : v) norm += std::abs(c);
    return norm;
}

inline bool nonzero(const std::vector<int>& v) { return largest(v) > 0; }

inline Pattern moore(int d, int radius) { return box("moore", d, -radius, radius, nonzero); }

inline Pattern von_neumann(int d, int radius) {
    return box("von Neumann", d, -radius, radius,
               [=](const auto& v) { return nonzero(v) && total(v) <= radius; });
}

inline Pattern octant(int d, int radius) { return box("octant", d, 0, radius, nonzero); }

inline Pattern shales(int d, int inner, int outer) {
    return box("shales", d, -outer, outer,
               [=](const auto& v) { return largest(v) == inner || largest(v) == outer; });
}

/// [2]'s stencil: n^d vectors with coordinates from f = -1 on, including zero.
inline Pattern stencil(int d, int n) { return box("stencil n=" + std::to_string(n), d, -1, n - 2); }

inline Pattern random_pattern(std::string name, int d, int t, int reach, std::mt19937& rng) {
    Pattern pattern{std::move(name), d, {}};
    std::uniform_int_distribution<int> coordinate(-reach, reach);
    for (int i = 0; i < t * d; ++i) pattern.offsets.push_back(coordinate(rng));
    return pattern;
}

}  // namespace carpool::tests
