// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

/// The range of bytes that a block occupies, relative to its address.
struct ByteRange {
    std::int64_t first;
    std::int64_t end;
};

/// @pre the shape has bytes
ByteRange byte_range(const Shape& shape);

/// Places blocks that follow each other: those of one type without holes without gaps, so that
/// consecutive ones are contiguous, all others aligned for numbers of any type.
class TypedLayout {
public:
    /// The offset of the address of the next block, which is empty if it has no bytes.
    std::int64_t add(const Shape& shape);

    std::int64_t bytes() const { return end_; }

private:
    std::int64_t end_ = 0;
    MPI_Datatype latest_ = MPI_DATATYPE_NULL;
};

}  // namespace carpool::mpi
