// SPDX-License-Identifier: MIT
#pragma once

#include "lattice.hpp"

namespace demo {

/// A box of cells with a halo one cell wide around it, row-major, last dimension contiguous.
///
/// Cells are numbered from 0 to cells[k] - 1 per dimension; the halo is at -1 and cells[k].
template <int D>
class Box {
public:
    explicit Box(const Vector<D>& cells) : cells_(cells) {
        volume_ = 1;
        for (int k = D - 1; k >= 0; --k) {
            strides_[k] = volume_;
            volume_ *= cells_[k] + 2;
        }
    }

    const Vector<D>& cells() const { return cells_; }

    /// Cells, those of the halo included.
    int volume() const { return volume_; }

    int index(const Vector<D>& cell) const { return distance(cell) + distance(filled(1)); }

    /// Distance in memory from a cell to the one at an offset from it.
    int distance(const Vector<D>& offset) const {
        int sum = 0;
        for (int k = 0; k < D; ++k) sum += offset[k] * strides_[k];
        return sum;
    }

    /// The cell, where off the box the one that takes its place on a periodic box.
    Vector<D> wrapped(Vector<D> cell) const {
        for (int k = 0; k < D; ++k) cell[k] = (cell[k] + cells_[k]) % cells_[k];
        return cell;
    }

    /// Calls visit(cell, index) for every cell inside.
    template <class Visit>
    void for_each(Visit visit) const {
        Vector<D> cell{};
        walk<0>(cell, filled(0), cells_, visit);
    }

    /// Calls visit(cell, index) for every cell, the halo included.
    template <class Visit>
    void for_each_with_halo(Visit visit) const {
        Vector<D> cell{}, end = cells_;
        for (int& size : end) ++size;
        walk<0>(cell, filled(-1), end, visit);
    }

private:
    static Vector<D> filled(int value) {
        Vector<D> result;
        result.fill(value);
        return result;
    }

    template <int K, class Visit>
    void walk(Vector<D>& cell, const Vector<D>& begin, const Vector<D>& end, Visit& visit) const {
        for (cell[K] = begin[K]; cell[K] < end[K]; ++cell[K]) {
            if constexpr (K + 1 < D)
                walk<K + 1>(cell, begin, end, visit);
            else
                visit(cell, index(cell));
        }
    }

    Vector<D> cells_;
    Vector<D> strides_{};
    int volume_ = 0;
};

}  // namespace demo
