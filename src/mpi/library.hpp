#pragma once

#include <string>

namespace carpool::mpi {

/// This MPI and its version, as MPI says.
std::string library_version();

/// Is this MPI Open MPI? Costs, and what it lets wait for what, differ.
bool is_open_mpi();

/// Of this process.
int rank_in_world();

/// May several threads call MPI at the same time?
bool several_threads();

}  // namespace carpool::mpi
