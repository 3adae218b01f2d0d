// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bench {

using DatatypeHandle = Handle<MPI_Datatype, MPI_Type_free>;
using Triple = std::array<int, 3>;

/// A cube of doubles with a halo on a torus of ranks in three dimensions.
struct HaloBox {
    MPI_Comm cart;
    int edge;
    int width;
    std::vector<double> cells;
    Triple dims{}, periods{}, at{};

    HaloBox(MPI_Comm cartcomm, int n, int w) : cart(cartcomm), edge(n), width(w) {
        check(MPI_Cart_get(cart, 3, dims.data(), periods.data(), at.data()));
        cells.resize(std::size_t(whole()) * std::size_t(whole()) * std::size_t(whole()));
    }

    int whole() const { return edge + 2 * width; }

    double& cell(int x, int y, int z) {
        return cells[(std::size_t(x) * std::size_t(whole()) + std::size_t(y)) *
                         std::size_t(whole()) +
                     std::size_t(z)];
    }

    /// First cell and number of cells along a dimension: of the cells sent towards an offset, and
    /// of the halo cells that blocks sent along that offset fill.
    std::pair<int, int> leaving(int offset) const {
        return offset == 0 ? std::pair(width, edge) : std::pair(offset > 0 ? edge : width, width);
    }
    std::pair<int, int> coming(int offset) const {
        return offset == 0 ? std::pair(width, edge)
                           : std::pair(offset > 0 ? 0 : width + edge, width);
    }

    DatatypeHandle subarray(const Triple& first, const Triple& size) const {
        const Triple sizes{whole(), whole(), whole()};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        check(MPI_Type_create_subarray(3, sizes.data(), size.data(), first.data(), MPI_ORDER_C,
                                       MPI_DOUBLE, &type));
        check(MPI_Type_commit(&type));
        return DatatypeHandle(type);
    }

    int rank_at(const Triple& offset, int sign) const {
        Triple there{};
        for (std::size_t k = 0; k < 3; ++k)
            there[k] = ((at[k] + sign * offset[k]) % dims[k] + dims[k]) % dims[k];
        int rank = 0;
        check(MPI_Cart_rank(cart, there.data(), &rank));
        return rank;
    }

    double content(int x, int y, int z) const {
        const Triple local{x, y, z};
        std::int64_t number = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const int length = dims[k] * edge;
            number = number * length + (at[k] * edge + local[k] - width + length) % length;
        }
        return static_cast<double>(number);
    }

    bool owned(int c) const { return c >= width && c < width + edge; }

    void fill_owned() {
        for (int x = 0; x < whole(); ++x)
            for (int y = 0; y < whole(); ++y)
                for (int z = 0; z < whole(); ++z)
                    cell(x, y, z) = owned(x) && owned(y) && owned(z) ? content(x, y, z) : -1.0;
    }

    void check_halo(const std::string& who) { check_cells(who, 3); }

    /// Checks the halo without its edges and corners.
    void check_faces(const std::string& who) { check_cells(who, 1); }

private:
    /// Checks the cells that lie in the halo along at most so many dimensions.
    void check_cells(const std::string& who, int most) {
        for (int x = 0; x < whole(); ++x)
            for (int y = 0; y < whole(); ++y)
                for (int z = 0; z < whole(); ++z)
                    if (!owned(x) + !owned(y) + !owned(z) <= most &&
                        cell(x, y, z) != content(x, y, z))
                        throw std::runtime_error(who + " leaves a wrong halo");
    }
};

}  // namespace bench
