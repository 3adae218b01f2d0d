// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"

namespace carpool::mpi {

/// Frees a communicator of the library's own that is not used any more, now or as soon as MPI
/// allows it: its last use may end within MPI's progress. If it has a message that was never
/// received, it is never freed, because MPICH would abort. Local, and does not throw.
void free_later(Comm comm);

/// Frees communicators that could not be freed before, if they can be freed now.
void free_what_waits();

}  // namespace carpool::mpi
