// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

/// A committed datatype of `count` elements, also for counts beyond int. MPI 3.1 and MPI 4 share no
/// other way to make one.
Datatype contiguous(std::int64_t count, MPI_Datatype type);

}  // namespace carpool::mpi
