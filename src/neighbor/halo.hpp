#pragma once

#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

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
};

/// Plans a halo exchange. @note Collective over cartcomm. Throws alike on all ranks.
std::unique_ptr<engine::Request> plan_halo(MPI_Comm cartcomm, const HaloArguments& arguments,
                                           MPI_Info info);

}  // namespace carpool::neighbor
