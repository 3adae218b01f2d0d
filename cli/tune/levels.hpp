// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace tune {

/// One kind of messages: by MPI on one node, through memory, or between nodes.
struct Level {
    std::string name;       ///< as in a tuning file
    std::string transport;  ///< for carpool_transport
    MPI_Comm comm;          ///< its ranks send only such messages; MPI_COMM_NULL on all others
    double ranks_per_core;  ///< the number of ranks that share a core
};

/// The levels of the ranks that this program runs on, the same on all ranks. @note Collective.
/// Communicators are never freed.
std::vector<Level> levels_of(MPI_Comm world);

}  // namespace tune
