// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/attribute.hpp"
#include "neighbor/call.hpp"
#include "ordinary/arguments.hpp"
#include "topology/graph.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::interpose {

/// What the sizes of calls on a communicator depend on; an attribute of it.
struct CommExtent {
    explicit CommExtent(MPI_Comm comm);

    bool is_inter = false;
    int rank = 0;
    int ranks = 0;
    std::vector<topology::Edge> targets = {};  ///< in its topology, if it has one
};

/// The size by which a report lists a call of the program, whoever makes it: the bytes that this
/// rank sends or, of a scatter, receives; 0 on an intercommunicator.
/// @pre the host has not refused the arguments
std::int64_t size_for_report(const neighbor::NeighborArguments& arguments,
                             const CommExtent& extent);
std::int64_t size_for_report(const ordinary::CollectiveArguments& arguments,
                             const CommExtent& extent);

}  // namespace carpool::interpose
