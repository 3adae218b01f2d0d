// SPDX-License-Identifier: MIT
#include "mpi/types/extent.hpp"

#include "mpi/error.hpp"

namespace carpool::mpi {

std::int64_t extent_of(MPI_Datatype type) {
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    check(MPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
    return extent;
}

std::int64_t size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
    return size;
}

}  // namespace carpool::mpi
