// SPDX-License-Identifier: MIT
#pragma once

#include "coordinates.hpp"
#include "exchange_arguments.hpp"
#include "handles.hpp"

#include <vector>

namespace carpool::tests {

/// Both sides of an exchange, and the sizes of their buffers in bytes. Owns its derived datatypes.
struct Layout {
    ExchangeArguments arguments;
    std::size_t send_bytes = 0;
    std::size_t recv_bytes = 0;
    std::vector<Type> types;
};

/// Blocks of n ints in a buffer of slots: contiguous, every other int, or ints of a wider extent.
///
///   slot  |x x x . . . . . . .|  |x . x . x . . . . .|  |x . x . x . . . . .|
///          1 * contiguous(3)      1 * vector(3, 1, 2)    3 * resized(int, 8 bytes)
class Slots {
public:
    static constexpr int ints = 10;
    static constexpr MPI_Aint bytes = ints * static_cast<MPI_Aint>(sizeof(int));

    /// Appends the block of a slot to the side, as v or w describe it. The kind is 0, 1 or 2, as in
    /// the picture.
    static void add(Layout& layout, Side& side, Shape shape, int slot, int n, int kind) {
        if (shape == Shape::v) {
            side.counts.push_back(n);
            side.displs.push_back(slot * ints);
            side.types = {MPI_INT};
            return;
        }
        layout.types.push_back(type(n, kind));
        side.counts.push_back(kind == 2 ? n : 1);
        side.displs.push_back(slot * bytes);
        side.types.push_back(layout.types.back());
    }

private:
    static Type type(int n, int kind) {
        MPI_Datatype type;
        if (kind == 0) MPI_Type_contiguous(n, MPI_INT, &type);
        if (kind == 1) MPI_Type_vector(n, 1, 2, MPI_INT, &type);
        if (kind == 2) MPI_Type_create_resized(MPI_INT, 0, 8, &type);
        return committed(type);
    }
};

/// Number of ints in block i: 3 0 2 4 1, and so on, for alltoallv and alltoallw, otherwise 3.
inline int ints_in(Operation operation, int i) {
    const bool varies = operation == Operation::alltoallv || operation == Operation::alltoallw;
    return varies ? (i * 2 + 3) % 5 : 3;
}

/// Adds t positions, in slots of the reverse order. A position without a neighbor has the free
/// count.
inline void fill_side(Layout& layout, Side& side, Shape shape, const std::vector<int>& neighbors,
                      int free_count, int kind) {
    const int t = static_cast<int>(neighbors.size());
    if (shape == Shape::one || shape == Shape::uniform) {
        side.counts = {3};
        side.types = {MPI_INT};
        return;
    }
    for (int i = 0; i < t; ++i) {
        const bool alone = neighbors[static_cast<std::size_t>(i)] == MPI_PROC_NULL;
        const int n = alone ? free_count : ints_in(layout.arguments.operation, i);
        Slots::add(layout, side, shape, t - 1 - i, n, (i + kind) % 3);
    }
    if (shape == Shape::v) side.types = {MPI_INT};
}

/// The layout of most exchanges on grids: ints in slots with gaps, sizes that depend on the
/// position, types that differ between the sides, and on a mesh counts that must not be read.
inline Layout slotted(Operation operation, const Neighbors& neighbors, int rank) {
    Layout layout{{operation, {}, {}}, 0, 0, {}};
    Side& send = layout.arguments.send;
    Side& recv = layout.arguments.recv;
    fill_side(layout, send, layout.arguments.send_shape(), neighbors.targets, rank % 3, 0);
    fill_side(layout, recv, layout.arguments.recv_shape(), neighbors.sources, (rank + 1) % 3, 1);
    layout.send_bytes = layout.recv_bytes =
        (neighbors.sources.size() + 1) * static_cast<std::size_t>(Slots::bytes);
    return layout;
}

}  // namespace carpool::tests
