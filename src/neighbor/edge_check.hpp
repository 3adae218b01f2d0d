#pragma once

#include "mpi/channel.hpp"
#include "neighbor/edge_ends.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// Throws the error about an edge of which the ends differ, alike on all ranks.
/// @note Collective over comm. @pre the balance over all ranks says that there is such an edge
[[noreturn]] void throw_difference(const EdgeEnds& ends,
                                   const std::shared_ptr<mpi::Channel>& channel, MPI_Comm comm,
                                   int error_class);

}  // namespace carpool::neighbor
