#pragma once

#include "mpi/lane.hpp"
#include "neighbor/edge_ends.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// Throws the error about an edge of which the ends differ, alike on all ranks.
/// @note Collective over comm, whose lane this is. @pre the lane is ready; the balance over all
/// ranks says that there is such an edge
[[noreturn]] void throw_difference(const EdgeEnds& ends, mpi::Lane& lane, MPI_Comm comm,
                                   int error_class);

}  // namespace carpool::neighbor
