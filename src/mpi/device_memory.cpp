// SPDX-License-Identifier: MIT
#include "mpi/device_memory.hpp"

#include "device/failure.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <string>

namespace carpool::mpi {

device::Device* device_of(std::string_view argument, const void* buffer) {
    try {
        return device::Device::of(buffer);
    } catch (const device::Failure& failure) {
        throw Error(MPI_ERR_BUFFER, std::string(argument) + " is memory of a GPU, but " +
                                        failure.what() + ": expected memory of the host");
    }
}

void refuse_device_memory(std::string_view argument) {
    throw Error(MPI_ERR_BUFFER, std::string(argument) +
                                    " is memory of a GPU, expected memory of the host: copy it "
                                    "there first, or allocate it as managed");
}

}  // namespace carpool::mpi
