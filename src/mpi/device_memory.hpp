#pragma once

#include <string_view>

namespace carpool::mpi {

/// Throws MPI_ERR_BUFFER for memory that only a GPU can read, which Carpool does not handle: that
/// of CUDA, where the process has loaded its driver. What is managed, host and GPU both can read.
/// @param buffer  of which argument, for the error's text
void check_host_memory(std::string_view argument, const void* buffer);

}  // namespace carpool::mpi
