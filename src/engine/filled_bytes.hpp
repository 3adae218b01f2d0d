// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/layout.hpp"
#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::engine {

/// The bytes on a device that receives fill, and where their mirror is: what is sent on from there
/// must be read in the mirror, since the device gets it only at the end.
///
///     a row of a halo on the device   | filled | own cells | filled |
///     in the mirror                      ^ of one receive     ^ of another
class FilledBytes {
public:
    /// @param filled  blocks on the device that do not overlap, and per block the offset in the
    /// mirror of its bytes, which are one piece there
    struct FilledBlock {
        const mpi::Block* block;
        std::int64_t mirrored;
    };
    explicit FilledBytes(std::span<const FilledBlock> filled);

    /// A block some of whose bytes are filled.
    struct Split {
        mpi::Layout own;       ///< its other bytes, relative to its address on the device
        mpi::Layout mirrored;  ///< all of its bytes in the mirror
    };

    /// @param own  the offset in the mirror where the bytes that nothing fills are, in one piece
    Split split(const mpi::Block& block, std::int64_t own) const;

private:
    struct Piece {
        const std::byte* first;
        const std::byte* end;
        std::int64_t mirrored;
    };

    std::vector<Piece> pieces_;  // in ascending order
};

/// Whether the ranges overlap that two blocks with bytes span.
bool ranges_overlap(const mpi::Block& a, const mpi::Block& b);

}  // namespace carpool::engine
