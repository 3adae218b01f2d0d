// SPDX-License-Identifier: MIT
#pragma once

#include "coordinates.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace carpool::tests {

/// A halo exchange as a user describes it, on a torus or mesh of all ranks. A serial array gives
/// the value that each cell must have, independently of how Carpool does it.
struct HaloCase {
    Torus torus;
    std::vector<std::vector<int>> extents;  ///< number of cells, by dimension and coordinate
    std::vector<int> lower;
    std::vector<int> upper;
    Pattern stencil;
    int order = MPI_ORDER_C;
    int fields = 1;

    int d() const { return static_cast<int>(torus.dims.size()); }

    std::vector<int> shape(int rank) const {
        const auto at = torus.coordinates(rank);
        std::vector<int> shape;
        for (std::size_t k = 0; k < at.size(); ++k)
            shape.push_back(extents[k][static_cast<std::size_t>(at[k])]);
        return shape;
    }

    std::string text() const {
        std::string text = stencil.name + " on";
        for (std::size_t k = 0; k < extents.size(); ++k) {
            for (const int cells : extents[k]) text += " " + std::to_string(cells);
            text += (torus.periods[k] ? " periodic, widths " : ", widths ") +
                    std::to_string(lower[k]) + " " + std::to_string(upper[k]) + ";";
        }
        return text + (order == MPI_ORDER_C ? " C, " : " Fortran, ") + std::to_string(fields) +
               " fields";
    }
};

/// The arrays of one rank. Their elements are two ints.
class HaloArrays {
public:
    static constexpr std::int64_t poison = -77;
    enum class Filled { owned, all };

    HaloArrays(const HaloCase& halo, int rank, int start, Filled filled)
        : halo_(halo), rank_(rank), shape_(halo.shape(rank)) {
        std::size_t cells = 1;
        for (std::size_t k = 0; k < shape_.size(); ++k)
            cells *= static_cast<std::size_t>(halo.lower[k] + shape_[k] + halo.upper[k]);
        for (int f = 0; f < halo.fields; ++f) {
            auto& field = fields_.emplace_back(cells + 2, poison);
            for (std::size_t i = 0; i < cells; ++i)
                field[i + 1] = content(place(i), f, start, filled);
        }
    }

    std::vector<void*> addresses() {
        std::vector<void*> all;
        for (auto& field : fields_) all.push_back(field.data() + 1);
        return all;
    }

    /// Copies the contents of `others` without changing addresses.
    void take(const HaloArrays& others) {
        for (std::size_t f = 0; f < fields_.size(); ++f)
            std::copy(others.fields_[f].begin(), others.fields_[f].end(), fields_[f].begin());
    }

    friend bool operator==(const HaloArrays& a, const HaloArrays& b) {
        return a.fields_ == b.fields_;
    }

private:
    /// The cell at a position in memory; the first owned cell is 0 in each dimension.
    std::vector<int> place(std::size_t position) const {
        const auto d = shape_.size();
        std::vector<int> cell(d);
        for (std::size_t i = 0; i < d; ++i) {
            const auto k = halo_.order == MPI_ORDER_C ? d - 1 - i : i;
            const auto length =
                static_cast<std::size_t>(halo_.lower[k] + shape_[k] + halo_.upper[k]);
            cell[k] = static_cast<int>(position % length) - halo_.lower[k];
            position /= length;
        }
        return cell;
    }

    int side(const std::vector<int>& cell, std::size_t k) const {
        return cell[k] < 0 ? -1 : cell[k] >= shape_[k] ? 1 : 0;
    }

    bool owned(const std::vector<int>& cell) const {
        for (std::size_t k = 0; k < cell.size(); ++k)
            if (side(cell, k) != 0) return false;
        return true;
    }

    bool read(const std::vector<int>& cell) const {
        for (int i = 0; i < halo_.stencil.t(); ++i) {
            bool points = true;
            for (std::size_t k = 0; k < cell.size(); ++k) {
                const int s = side(cell, k);
                points = points && (s == 0 || s * halo_.stencil.offset(i)[k] > 0);
            }
            if (points) return true;
        }
        return false;
    }

    std::int64_t content(const std::vector<int>& cell, int field, int start, Filled filled) const {
        if (!owned(cell) && (filled == Filled::owned || !read(cell))) return poison;
        const auto at = halo_.torus.coordinates(rank_);
        std::int64_t number = 0;
        for (std::size_t k = 0; k < cell.size(); ++k) {
            int global = cell[k];
            int length = 0;
            for (std::size_t c = 0; c < halo_.extents[k].size(); ++c) {
                if (static_cast<int>(c) < at[k]) global += halo_.extents[k][c];
                length += halo_.extents[k][c];
            }
            if (halo_.torus.periods[k] && length > 0) global = (global % length + length) % length;
            if (global < 0 || global >= length) return poison;
            number = number * length + global;
        }
        return number * 100 + field * 10 + start;
    }

    const HaloCase& halo_;
    int rank_;
    std::vector<int> shape_;
    std::vector<std::vector<std::int64_t>> fields_;
};

/// The arguments of a Carpool_Halo_init.
struct HaloCall {
    HaloCall(const HaloCase& halo, std::vector<void*> addresses)
        : field(std::move(addresses)),
          shape(halo.shape(rank_in(MPI_COMM_WORLD))),
          lower(halo.lower),
          upper(halo.upper),
          offsets(halo.stencil.offsets),
          element(committed(two_ints())) {
        arguments = {halo.fields,           field.data(),     shape.data(),
                     lower.data(),          upper.data(),     halo.order,
                     MPI_Datatype(element), halo.stencil.t(), offsets.data()};
    }

    static MPI_Datatype two_ints() {
        MPI_Datatype type;
        MPI_Type_contiguous(2, MPI_INT, &type);
        return type;
    }

    std::vector<void*> field;
    std::vector<int> shape, lower, upper, offsets;
    Type element;
    Carpool_Halo arguments;
};

}  // namespace carpool::tests
