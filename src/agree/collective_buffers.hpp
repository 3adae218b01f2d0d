// SPDX-License-Identifier: MIT
#pragma once

#include "agree/typed_memory.hpp"
#include "collectives/problem.hpp"
#include "engine/bind.hpp"
#include "mpi/types/shape.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::agree {

/// The blocks of one rank in an ordinary collective, as the user gives them.
struct CollectiveBlocks {
    std::vector<mpi::Block> send = {};  ///< none on a rank that has nothing to send
    std::vector<mpi::Block> recv = {};
    MPI_Op op = MPI_OP_NULL;
    bool in_place = false;  ///< this rank's own block already lies where it belongs

    /// Copies made at each start: with MPI_IN_PLACE the result overwrites the input.
    std::vector<engine::Move> before = {};
};

/// Memory that a collective needs besides the user's.
struct CollectiveMemory {
    TypedMemory whole;  ///< a copy of a block that is to be cut but is not contiguous
    TypedMemory temps;
};

/// The memory behind the slots of a schedule: the user's blocks, or pieces of the only block if
/// that is cut, and memory for sums. Drops from the schedule the copies of blocks that already lie
/// in their place.
engine::Buffers collective_buffers(const CollectiveBlocks& blocks,
                                   const collectives::Problem& problem, int pieces,
                                   schedule::Schedule& schedule, CollectiveMemory& memory);

/// The same for other blocks and the same schedule, in the same memory. Copies that were dropped
/// from the schedule stay dropped. Vectors are swapped: afterwards `blocks` holds those of the call
/// before.
/// @param temp_bytes  per temporary slot, the bytes of the block that it holds
void collective_buffers_again(engine::Buffers& buffers, CollectiveBlocks& blocks,
                              const collectives::Problem& problem, int pieces,
                              std::span<const std::int64_t> temp_bytes, CollectiveMemory& memory);

}  // namespace carpool::agree
