#pragma once

#include <atomic>
#include <string>

namespace carpool::mpi {

/// This MPI and its version, as MPI says.
std::string library_version();

/// Whose header this library was compiled with.
const char* compiled_with();

/// Has it been seen that MPI runs, and that its end has not begun? To ask it in each call takes
/// Open MPI a tenth of a short start.
inline constinit std::atomic<bool> runs = false;

/// Is this MPI Open MPI? Costs, and what it lets wait for what, differ.
bool is_open_mpi();

/// Of this process.
int rank_in_world();

/// Was this library compiled with the header of an MPI whose handles are not those of the MPI that
/// runs? Then no call of MPI but those without a handle does what it says.
bool is_another_mpi();

/// May several threads call MPI at the same time?
bool several_threads();

}  // namespace carpool::mpi
