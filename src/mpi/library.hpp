#pragma once

#include <atomic>
#include <string>

namespace carpool::mpi {

/// Name and version of the MPI that runs, as it reports them.
std::string library_version();

/// The MPI with whose header this library was compiled.
const char* compiled_with();

/// Has this process seen that MPI runs, and that its end has not begun? Asking Open MPI in each
/// call would take a tenth of a short start.
inline constinit std::atomic<bool> runs = false;

/// Is this MPI Open MPI? Its costs differ, and so do the operations that may wait for each other.
bool is_open_mpi();

/// Is this MPI Intel MPI, which has the handles of MPICH? Its persistent collectives hang or abort
/// now and then (2021.18), and on a torus with two ranks along a dimension its neighborhood
/// collectives are wrong.
bool is_intel_mpi();

/// Asks MPI whether it runs, as its initialization without sessions makes it.
bool initialized_and_not_finalized();

/// The rank of this process in MPI_COMM_WORLD.
int rank_in_world();

/// Was this library compiled with the header of an MPI whose handles are not those of the MPI that
/// runs? Then only MPI calls without a handle do what they should.
bool is_another_mpi();

/// May several threads call MPI at the same time?
bool several_threads();

}  // namespace carpool::mpi
