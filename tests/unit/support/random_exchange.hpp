// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"
#include "random_source.hpp"

#include <cstdint>
#include <vector>

/// A grid of 1 to 4 dimensions with at most 48 ranks; sizes 1 and 2 are the most frequent.
inline carpool::topology::Grid random_grid(RandomSource& random) {
    const auto d = static_cast<std::size_t>(random.between(1, 4));
    std::vector<int> dims(d, 1);
    std::vector<bool> periods(d);
    int ranks = 1;
    for (std::size_t k = 0; k < d; ++k) {
        const int dim = random.one_in(2) ? random.between(1, 2) : random.between(1, 6);
        if (ranks * dim <= 48) dims[k] = dim;
        ranks *= dims[k];
        periods[k] = !random.one_in(3);
    }
    return {dims, periods};
}

/// Up to 12 offsets, mostly near, some beyond the dimensions, with repetitions and zero vectors.
inline carpool::topology::Neighborhood random_neighborhood(RandomSource& random, int dimensions) {
    const auto d = static_cast<std::size_t>(dimensions);
    const int radius = random.between(1, 3);
    std::vector<int> flat;
    for (int t = random.between(0, 12); t > 0; --t) {
        if (!flat.empty() && random.one_in(6)) {
            const auto repeated = d * static_cast<std::size_t>(
                                          random.between(0, static_cast<int>(flat.size() / d) - 1));
            for (std::size_t k = 0; k < d; ++k) flat.push_back(flat[repeated + k]);
        } else {
            const int reach = random.one_in(12) ? 9 : random.one_in(12) ? 0 : radius;
            for (std::size_t k = 0; k < d; ++k) flat.push_back(random.between(-reach, reach));
        }
    }
    return {dimensions, flat};
}

inline Exchange random_exchange(RandomSource& random) {
    auto grid = random_grid(random);
    auto neighborhood = random_neighborhood(random, grid.dimensions());
    const auto pattern = patterns[random.between(0, 1)];
    auto bytes = equal_blocks(neighborhood, pattern, 8);
    if (random.one_in(2))
        for (auto& size : bytes) size = random.one_in(3) ? 0 : random.between(1, 9);
    return {std::move(grid), std::move(neighborhood), pattern, std::move(bytes)};
}
