// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// The kind of topology that MPI states, such as MPI_CART, or MPI_UNDEFINED; corrected for a bug of
/// Open MPI with distributed graphs over Cartesian communicators. Local.
int kind_of_topology(MPI_Comm comm);

/// The grid of a communicator. @pre its kind is MPI_CART
topology::Grid grid_of(MPI_Comm comm);

}  // namespace carpool::mpi
