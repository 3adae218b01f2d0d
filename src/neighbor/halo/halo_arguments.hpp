// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.hpp"

#include <mpi.h>

#include <string>

namespace carpool::neighbor {

/// Arguments of Carpool_Halo_init as given.
struct HaloArguments {
    int fields;
    void* const* field;
    const int* shape;
    const int* lower;
    const int* upper;
    int order;
    MPI_Datatype element;
    int t;
    const int* stencil;
    const MPI_Aint* strides = nullptr;  ///< in bytes; null for an array without gaps
};

/// What error texts call shape[k], which is no argument in Fortran.
std::string name_of_extent(int k);

/// The device on which the fields lie; null for memory of the host.
device::Device* device_of(const HaloArguments& arguments);

/// Throws an Error that names an argument that is wrong.
/// @param d     the number of dimensions
/// @param comm  a communicator whose error handler returns
void check_arguments(const HaloArguments& arguments, int d, MPI_Comm comm);

}  // namespace carpool::neighbor
