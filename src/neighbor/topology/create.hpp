// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"
#include "topology/grid.hpp"

#include <mpi.h>

#include <optional>
#include <span>

namespace carpool::neighbor {

/// Arguments of Carpool_Cart_neighborhood_create as given.
struct CartArguments {
    int d;
    const int* dims;
    const int* periods;
    int t;
    const int* offsets;
    const int* weights;
    MPI_Info info;
    int reorder;
    const char* t_name = "t";  ///< the names of the arguments in the function called
    const char* offsets_name = "targetrelative";
};

/// A Cartesian communicator with a neighborhood ([2] listing 1). @note Collective over comm.
MPI_Comm create_cart(MPI_Comm comm, const CartArguments& arguments);

/// A neighborhood on the grid of a Cartesian communicator ([1] listing 1).
/// @note Collective over cartcomm.
MPI_Comm create_iso(MPI_Comm cartcomm, int s, const int* offsets);

/// The grid of a communicator made by MPI_Cart_create; throws MPI_ERR_TOPOLOGY for any other.
topology::Grid cartesian_grid(MPI_Comm cartcomm);

}  // namespace carpool::neighbor
