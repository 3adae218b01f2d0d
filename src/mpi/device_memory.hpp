#pragma once

#include <string_view>

namespace carpool::mpi {

/// Throws MPI_ERR_BUFFER for memory that only a GPU can read, which Carpool does not handle: CUDA's
/// device memory, if the process has loaded the driver. Managed memory is accepted, because host
/// and GPU can both read it. Memory of a GPU may be missed at addresses where this thread has seen
/// memory of the host before the driver was loaded.
/// @param argument  the name of the buffer's argument, for the error text
void check_host_memory(std::string_view argument, const void* buffer);

}  // namespace carpool::mpi
