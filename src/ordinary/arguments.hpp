// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/shared_memory.hpp"
#include "arguments/side.hpp"
#include "collectives/kind.hpp"

#include <mpi.h>

namespace carpool::ordinary {

/// A collective on all ranks of a communicator, as the user calls it. MPI_IN_PLACE may take the
/// place of the buffer of a side.
///
/// A side has either a single block or one per rank. One per rank: `send` of scatter, alltoall and
/// reduce_scatter, `recv` of gather, allgather and alltoall. A bcast describes its one buffer by
/// both sides, a barrier has none; both sides of a reduction have the same counts and type.
struct CollectiveArguments {
    collectives::Kind kind;
    arguments::Side send = {};
    arguments::Side recv = {};
    int root = 0;
    MPI_Op op = MPI_OP_NULL;
    arguments::Overlap overlap = arguments::Overlap::refused;

    /// True for the functions that end in v or w, even if the array of counts is not significant on
    /// this rank.
    bool count_per_rank() const { return send.varying_counts() || recv.varying_counts(); }
};

/// Whether MPI_IN_PLACE stands for the buffer of a side.
inline bool in_place(const arguments::Side& side) { return side.buffer == MPI_IN_PLACE; }

}  // namespace carpool::ordinary
