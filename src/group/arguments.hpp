#pragma once

#include "arguments/side.hpp"
#include "collectives/kind.hpp"

#include <mpi.h>

namespace carpool::group {

/// A collective on all ranks of a communicator as the user makes it. MPI_IN_PLACE stands as the
/// buffer of a side.
///
/// One side has one block, or one per rank: `send` of scatter, alltoall and reduce_scatter, `recv`
/// of gather, allgather and alltoall. A bcast describes its one buffer by both sides, barrier has
/// none; of a reduction both sides have the same counts and type.
struct CollectiveArguments {
    collectives::Kind kind;
    arguments::Side send = {};
    arguments::Side recv = {};
    int root = 0;
    MPI_Op op = MPI_OP_NULL;

    /// Is it one of the functions that end in v or w? So too where the array is not significant.
    bool count_per_rank() const { return send.varying_counts() || recv.varying_counts(); }
};

}  // namespace carpool::group
