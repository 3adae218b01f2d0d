#pragma once

#include "engine/bind_message.hpp"
#include "engine/dependencies.hpp"
#include "engine/work.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <vector>

namespace carpool::engine {

/// The user's blocks, one per slot of the schedule. Slots that it does not touch may be empty.
struct Buffers {
    std::vector<mpi::Block> send;
    std::vector<mpi::Block> recv;
    std::vector<mpi::Block> temp;  ///< only where sums need them as typed memory
    MPI_Op op = MPI_OP_NULL;       ///< of sums
};

/// A schedule bound to buffers: all messages of one rank in the order of their rounds, and what it
/// does by itself.
struct Bound {
    std::vector<BoundMessage> sends;
    std::vector<BoundMessage> receives;
    std::vector<Work> works;        ///< that something waits for
    std::vector<Task> tasks;        ///< sends, then works
    std::vector<Arrival> arrivals;  ///< per receive
    LocalCopies first_copies;       ///< from the send buffer
    LocalCopies last_copies;        ///< from blocks that have arrived
    std::vector<Work> last_works;
};

Bound bind(const schedule::Schedule& schedule, const Buffers& buffers, Packing packing);

}  // namespace carpool::engine
