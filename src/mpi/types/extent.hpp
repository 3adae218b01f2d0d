// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>

namespace carpool::mpi {

std::int64_t extent_of(MPI_Datatype type);
std::int64_t size_of(MPI_Datatype type);

}  // namespace carpool::mpi
