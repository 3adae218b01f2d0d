// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"

#include <mpi.h>

#include <cstdint>
#include <limits>

namespace carpool::host {

/// One side of a call as the host MPI's functions with a single count take it.
struct PlainSide {
    explicit PlainSide(const arguments::Side& side)
        : buffer(side.buffer), count(side.count(0)), type(side.type(0)) {}

    int narrow() const { return static_cast<int>(count); }

    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
};

/// Whether a side can be given to MPI's functions with a single count. The same on all ranks of a
/// valid call.
inline bool is_plain(const arguments::Side& side) {
    return !side.varying_counts() && !side.varying_types;
}

/// Whether blocks of so many bytes can be given to them, whatever their datatype. A count is no
/// larger than its bytes, also of datatypes with gaps; of datatypes without bytes it may be
/// anything.
inline bool is_narrow(std::int64_t bytes) { return bytes <= std::numeric_limits<int>::max(); }

}  // namespace carpool::host
