#pragma once

#include "mpi/handle.hpp"

namespace carpool::mpi {

/// Takes a communicator on which this rank has nothing more to do, and frees it when all its ranks
/// have said so; never if one of them says that messages may be left which nobody has taken: MPICH
/// refuses to free a communicator on which one waits, and one that is on its way shows nowhere.
///
/// Returns at once. MPI_Finalize waits for it, a second at most; what has not been freed then ends
/// with MPI.
/// @param kept  may messages be left?
void part_from(Comm comm, bool kept);

/// Frees those of which all have parted meanwhile. Called where communicators are made.
void free_parted();

}  // namespace carpool::mpi
