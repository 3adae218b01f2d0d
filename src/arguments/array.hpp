// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace carpool::arguments {

/// Throws MPI_ERR_ARG if an array with elements is a null pointer.
void check_array(const char* name, const void* array, std::int64_t length);

}  // namespace carpool::arguments
