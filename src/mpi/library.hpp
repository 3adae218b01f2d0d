#pragma once

namespace carpool::mpi {

/// Is this MPI Open MPI? Costs, and what it lets wait for what, differ.
bool is_open_mpi();

}  // namespace carpool::mpi
