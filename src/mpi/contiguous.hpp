#pragma once

#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

/// `count` elements as a datatype, committed, for counts beyond an int too: the one way that MPI
/// 3.1 and MPI 4 share.
Datatype contiguous(std::int64_t count, MPI_Datatype type);

}  // namespace carpool::mpi
