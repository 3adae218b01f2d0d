// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace carpool::mpi {

/// Name and version of the MPI that runs, as it reports them.
std::string library_version();

/// The MPI with whose header this library was compiled.
const char* compiled_with();

/// Is this MPI Open MPI? Its costs differ, and so do the operations that may wait for each other.
bool is_open_mpi();

/// Is this MPI Intel MPI, which has the handles of MPICH? Its persistent collectives hang or abort
/// now and then (2021.18), and on a torus with two ranks along a dimension its neighborhood
/// collectives are wrong.
bool is_intel_mpi();

/// Asks MPI whether it runs, as its initialization without sessions makes it.
bool initialized_and_not_finalized();

/// Was this library compiled with the header of an MPI whose handles are not those of the MPI that
/// runs? Then only MPI calls without a handle do what they should.
bool is_another_mpi();

/// Does MPI say that several threads may call it at the same time?
bool threads_are_allowed();

}  // namespace carpool::mpi
