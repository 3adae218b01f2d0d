#pragma once

#include "mpi/comm_state.hpp"
#include "neighbor/edge_ends.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// Throws the error about an edge of which the ends differ, alike on all ranks.
/// @note Collective over comm, whose state this is. @pre the state is ready; the balance over all
/// ranks says that there is such an edge
[[noreturn]] void throw_difference(const EdgeEnds& ends, mpi::CommState& state, MPI_Comm comm,
                                   int error_class);

}  // namespace carpool::neighbor
