#pragma once

#include "agree/typed_memory.hpp"
#include "collectives/problem.hpp"
#include "engine/bind.hpp"
#include "mpi/shape.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::agree {

/// The blocks of one rank in an ordinary collective, as its user gives them.
struct CollectiveBlocks {
    std::vector<mpi::Block> send = {};  ///< none on a rank that has nothing to send
    std::vector<mpi::Block> recv = {};
    MPI_Op op = MPI_OP_NULL;
    bool in_place = false;  ///< this rank's own block lies where it should come to

    /// What MPI_IN_PLACE gives is copied away at each start, since the result comes there.
    std::vector<engine::Move> before = {};
};

/// Memory that a collective needs beside the user's.
struct CollectiveMemory {
    TypedMemory whole;  ///< blocks that are cut, where the user's is not one piece
    TypedMemory temps;
};

/// What the slots of a schedule are: the user's blocks, pieces of them if the one block that there
/// is is cut, and memory for sums. Copies of blocks that are in their place are dropped from the
/// schedule.
engine::Buffers collective_buffers(const CollectiveBlocks& blocks,
                                   const collectives::Problem& problem, int pieces,
                                   schedule::Schedule& schedule, CollectiveMemory& memory);

/// The same for other blocks and the same schedule, in the same memory. What has been dropped from
/// the schedule stays so. Blocks are swapped: afterwards `blocks` holds vectors of before.
/// @param temp_bytes  per temporary slot, of the block that rests there
void collective_buffers_again(engine::Buffers& buffers, CollectiveBlocks& blocks,
                              const collectives::Problem& problem, int pieces,
                              std::span<const std::int64_t> temp_bytes, CollectiveMemory& memory);

}  // namespace carpool::agree
