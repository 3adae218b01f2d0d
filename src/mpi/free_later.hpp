#pragma once

#include "mpi/handle.hpp"

namespace carpool::mpi {

/// Frees a communicator of the library's own that nobody uses any more, now or where MPI lets it:
/// its last user may end within MPI's progress. One with a message that nobody has taken is never
/// freed: MPICH aborts then. Local, and does not throw.
void free_later(Comm comm);

/// Frees what could not be freed before, unless it cannot be now.
void free_what_waits();

}  // namespace carpool::mpi
