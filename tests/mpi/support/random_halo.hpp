// SPDX-License-Identifier: MIT
#pragma once

#include "grid_cases.hpp"
#include "halo_array.hpp"

#include <algorithm>
#include <random>

namespace carpool::tests {

inline Comm cartesian(const Torus& torus) {
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(torus.dims.size()), torus.dims.data(),
                    torus.periods.data(), 0, &cart);
    return Comm(cart);
}

/// @param rng  in the same state on all ranks
inline HaloCase random_halo(std::mt19937& rng) {
    const auto between = [&rng](int low, int high) {
        return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
    };
    HaloCase halo;
    const int d = between(1, 4);
    halo.torus.dims = random_dims(world_size(), d, rng);
    halo.stencil = {"random", d, {}};
    for (const int ranks : halo.torus.dims) {
        halo.torus.periods.push_back(between(0, 2) > 0);
        auto& along = halo.extents.emplace_back();
        int cells = 0;
        for (int c = 0; c < ranks; ++c) {
            along.push_back(between(0, 8) == 0 ? 0 : between(1, d == 4 ? 3 : 6));
            cells += along.back();
        }
        const int most = halo.torus.periods.back() ? std::min(cells, 4) : 4;
        halo.lower.push_back(between(0, most));
        halo.upper.push_back(between(0, most));
    }
    for (int t = between(0, 5); t > 0; --t)
        for (std::size_t k = 0; k < halo.lower.size(); ++k)
            halo.stencil.offsets.push_back(between(-halo.lower[k], halo.upper[k]));
    halo.order = between(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    halo.fields = between(1, 3);
    return halo;
}

}  // namespace carpool::tests
