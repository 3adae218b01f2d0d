// SPDX-License-Identifier: MIT
#include "carpool/carpool.h"

#include "api/guarded.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace carpool;

namespace {

/// Counts and copies the offsets of the stencil that make() returns.
template <typename Make>
int offsets_of(const char* function, int maxoffsets, int* d, int* t, int* offsets, Make make) {
    return api::guarded(function, MPI_COMM_NULL, [&] {
        try {
            const topology::Neighborhood stencil = make();
            if (maxoffsets < 0 || (maxoffsets > 0 && offsets == nullptr))
                throw std::invalid_argument("maxoffsets is " + std::to_string(maxoffsets) +
                                            ", expected room for as many in offsets");
            const auto wanted = static_cast<std::size_t>(maxoffsets) *
                                static_cast<std::size_t>(stencil.dimensions());
            if (d != nullptr) *d = stencil.dimensions();
            if (t != nullptr) *t = stencil.size();
            std::copy_n(stencil.flat().begin(), std::min(wanted, stencil.flat().size()), offsets);
        } catch (const std::invalid_argument& error) {
            throw mpi::Error(MPI_ERR_ARG, error.what());
        }
    });
}

int offsets_of(const char* function, const char* name, int d, std::vector<int> arguments,
               int maxoffsets, int* t, int* offsets) {
    return offsets_of(function, maxoffsets, nullptr, t, offsets, [&] {
        const auto families = topology::stencil_families();
        const auto family = std::find_if(families.begin(), families.end(),
                                         [name](const auto& f) { return f.name == name; });
        return topology::stencil_of(*family, d, arguments);
    });
}

}  // namespace

int Carpool_Stencil(const char* text, int maxoffsets, int* d, int* t, int offsets[]) {
    return offsets_of(__func__, maxoffsets, d, t, offsets,
                      [&] { return topology::stencil_from_text(text != nullptr ? text : ""); });
}

int Carpool_Stencil_moore(int d, int radius, int maxoffsets, int* t, int offsets[]) {
    return offsets_of(__func__, "moore", d, {radius}, maxoffsets, t, offsets);
}

int Carpool_Stencil_von_neumann(int d, int radius, int maxoffsets, int* t, int offsets[]) {
    return offsets_of(__func__, "von_neumann", d, {radius}, maxoffsets, t, offsets);
}

int Carpool_Stencil_positive_octant(int d, int radius, int maxoffsets, int* t, int offsets[]) {
    return offsets_of(__func__, "positive_octant", d, {radius}, maxoffsets, t, offsets);
}

int Carpool_Stencil_shales(int d, int n, const int radii[], int maxoffsets, int* t, int offsets[]) {
    const bool given = n > 0 && radii != nullptr;
    return offsets_of(__func__, "shales", d,
                      given ? std::vector<int>(radii, radii + n) : std::vector<int>{}, maxoffsets,
                      t, offsets);
}

int Carpool_Stencil_box(int d, int n, int f, int maxoffsets, int* t, int offsets[]) {
    return offsets_of(__func__, "box", d, {n, f}, maxoffsets, t, offsets);
}
