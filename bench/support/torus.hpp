// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "pattern.hpp"

#include <mpi.h>

#include <vector>

namespace bench {

/// A fully periodic torus of ranks in row-major order. It has its own arithmetic, so that expected
/// values do not depend on the library that they check.
struct Torus {
    std::vector<int> dims;

    /// The rank at `rank` + sign * offset.
    int shifted(int rank, Offset offset, int sign) const {
        int result = 0;
        int stride = 1;
        for (std::size_t k = dims.size(); k-- > 0;) {
            const int moved = (rank % dims[k] + sign * offset[k]) % dims[k];
            result += (moved + dims[k]) % dims[k] * stride;
            stride *= dims[k];
            rank /= dims[k];
        }
        return result;
    }
    int target(int rank, Offset offset) const { return shifted(rank, offset, 1); }
    int source(int rank, Offset offset) const { return shifted(rank, offset, -1); }
};

/// The torus of all ranks of `comm`, in the shape that MPI_Dims_create gives.
inline Torus torus_of(MPI_Comm comm, int dimensions) {
    int size = 0;
    check(MPI_Comm_size(comm, &size));
    Torus torus{std::vector<int>(static_cast<std::size_t>(dimensions), 0)};
    check(MPI_Dims_create(size, dimensions, torus.dims.data()));
    return torus;
}

}  // namespace bench
