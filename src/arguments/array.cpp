// SPDX-License-Identifier: MIT
#include "arguments/array.hpp"

#include "mpi/error.hpp"

#include <mpi.h>

#include <string>

namespace carpool::arguments {

void check_array(const char* name, const void* array, std::int64_t length) {
    if (array == nullptr && length > 0)
        throw mpi::Error(MPI_ERR_ARG, std::string(name) +
                                          " is a null pointer, expected an array of " +
                                          std::to_string(length));
}

}  // namespace carpool::arguments
