// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace carpool::report {

/// Notes for a report, if one is wanted, that a function has made a communicator of another one.
/// Local; throws nothing.
void note_made(const char* function, MPI_Comm parent, MPI_Comm made);

}  // namespace carpool::report
