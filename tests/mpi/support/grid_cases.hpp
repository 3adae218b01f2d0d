// SPDX-License-Identifier: MIT
#pragma once

#include "patterns.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace carpool::tests {

/// A pattern on a torus or mesh of all ranks.
struct Place {
    Torus torus;
    Pattern pattern;

    std::string text() const {
        std::string line = pattern.name + ", t=" + std::to_string(pattern.t()) + ", dims";
        for (std::size_t k = 0; k < torus.dims.size(); ++k)
            line += " " + std::to_string(torus.dims[k]) + (torus.periods[k] ? "o" : "-");
        return line;
    }
};

inline std::vector<Pattern> patterns(std::mt19937& rng) {
    const Pattern repeated{"the same offset five times", 2, {1, -1, 1, -1, 1, -1, 1, -1, 1, -1}};
    const Pattern zeros{"zero among repetitions", 2, {0, 0, 1, 0, 0, 0, -1, 2, 1, 0, 0, 0}};
    return {Pattern{"none", 2, {}},
            Pattern{"zero alone", 1, {0}},
            Pattern{"zero alone", 3, {0, 0, 0}},
            Pattern{"one step", 1, {1}},
            Pattern{"negative", 2, {-1, -1, -2, 0, 0, -3, -1, -2}},
            Pattern{"beyond the dimensions", 1, {7, -9, 12, 4}},
            Pattern{"beyond the dimensions", 2, {5, -6, -8, 0, 0, 11, 3, 3, -7, -7}},
            repeated,
            zeros,
            moore(1, 1),
            moore(1, 3),
            moore(2, 1),
            moore(2, 2),
            moore(3, 1),
            moore(4, 1),
            von_neumann(2, 1),
            von_neumann(2, 3),
            von_neumann(3, 2),
            von_neumann(5, 1),
            stencil(2, 3),
            stencil(2, 4),
            stencil(2, 5),
            stencil(3, 3),
            octant(2, 2),
            octant(3, 2),
            octant(5, 1),
            shales(1, 1, 4),
            shales(2, 1, 3),
            random_pattern("random", 1, 9, 4, rng),
            random_pattern("random", 2, 12, 2, rng),
            random_pattern("random", 3, 15, 3, rng),
            random_pattern("random", 4, 10, 2, rng),
            random_pattern("random", 5, 12, 2, rng),
            random_pattern("long random", 2, 6, 15, rng)};
}

/// Deals the prime factors of size to d dimensions; a dimension without a factor has size 1.
inline std::vector<int> random_dims(int size, int d, std::mt19937& rng) {
    std::vector<int> dims(static_cast<std::size_t>(d), 1);
    for (int factor = 2; size > 1; ++factor)
        for (; size % factor == 0; size /= factor) dims[rng() % dims.size()] *= factor;
    return dims;
}

/// Like MPI_Dims_create: the largest prime factor goes to the smallest dimension, and so on.
inline std::vector<int> balanced_dims(int size, int d) {
    std::vector<int> factors;
    for (int factor = 2; size > 1; ++factor)
        for (; size % factor == 0; size /= factor) factors.push_back(factor);
    std::vector<int> dims(static_cast<std::size_t>(d), 1);
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
        *std::min_element(dims.begin(), dims.end()) *= *factor;
    std::sort(dims.begin(), dims.end(), std::greater<>());
    return dims;
}

/// Every pattern on a torus, on a mesh and on a mixture of both, each with random dims.
inline std::vector<Place> grid_cases(int size, std::mt19937& rng) {
    std::vector<Place> places;
    for (const Pattern& pattern : patterns(rng)) {
        const auto d = static_cast<std::size_t>(pattern.d);
        std::vector<int> mixed(d);
        for (std::size_t k = 0; k < d; ++k) mixed[k] = (k + rng()) % 2 != 0;
        for (const auto& periods : {std::vector<int>(d, 1), std::vector<int>(d, 0), mixed})
            places.push_back({{random_dims(size, pattern.d, rng), periods}, pattern});
    }
    return places;
}

}  // namespace carpool::tests
