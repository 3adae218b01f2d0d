// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>

namespace carpool::mpi {

/// The communicator's name, in which '?' replaces what is not printable ASCII; empty if it has
/// none.
std::string comm_name(MPI_Comm comm);

}  // namespace carpool::mpi
