// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/contiguous.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace carpool::mpi {

/// A number of bytes as a count and a datatype for MPI, also beyond the range of int.
class ByteCount {
public:
    explicit ByteCount(std::size_t count) : bytes_(count) {
        if (count <= static_cast<std::size_t>(std::numeric_limits<int>::max()))
            count_ = static_cast<int>(count);
        else
            large_ = contiguous(static_cast<std::int64_t>(count), MPI_BYTE);
    }
    std::size_t bytes() const { return bytes_; }
    int count() const { return large_.get() == MPI_DATATYPE_NULL ? count_ : 1; }
    MPI_Datatype type() const {
        return large_.get() == MPI_DATATYPE_NULL ? MPI_BYTE : large_.get();
    }

private:
    std::size_t bytes_;
    int count_ = 0;
    Datatype large_;
};

}  // namespace carpool::mpi
