#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace tune {

/// Messages of one kind: by MPI on one node, through memory, or between nodes.
struct Level {
    std::string name;       ///< as a tuning file has it
    std::string transport;  ///< for carpool_transport
    MPI_Comm comm;  ///< its ranks send messages of this kind alone; MPI_COMM_NULL: none here
    double ranks_per_core;  ///< of them
};

/// Those of the ranks that this program runs on, alike on all. @note Collective. Communicators are
/// never freed.
std::vector<Level> levels_of(MPI_Comm world);

}  // namespace tune
