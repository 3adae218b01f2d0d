// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.hpp"

#include <string_view>

namespace carpool::mpi {

/// The device on which a buffer lies (device::Device::of). Throws MPI_ERR_BUFFER if Carpool cannot
/// use it.
/// @param argument  the name of the buffer's argument, for the error text
device::Device* device_of(std::string_view argument, const void* buffer);

/// Throws MPI_ERR_BUFFER for memory that only a GPU can read, where a call takes none.
[[noreturn]] void refuse_device_memory(std::string_view argument);

}  // namespace carpool::mpi
