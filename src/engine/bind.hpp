#pragma once

#include "engine/bind_message.hpp"
#include "engine/dependencies.hpp"
#include "engine/transports.hpp"
#include "engine/work.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <vector>

namespace carpool::engine {

/// A copy within this process, from one block to another of as many bytes.
struct Move {
    mpi::Block from;
    mpi::Block to;
};

/// The user's blocks, one per slot of the schedule. Slots that it does not touch may be empty.
struct Buffers {
    std::vector<mpi::Block> send;
    std::vector<mpi::Block> recv;
    std::vector<mpi::Block> temp;  ///< only where sums need them as typed memory
    std::vector<MPI_Op> ops = {};  ///< of sums, by their numbers

    /// Done before anything else at a start, and after all else at its end: user's memory that is
    /// not used itself.
    std::vector<Move> before = {};
    std::vector<Move> after = {};

    std::vector<int> sources = {};  ///< whose block comes to each receive slot, where errors say it
};

/// A schedule bound to buffers: all messages of one rank in the order of their rounds, and what it
/// does by itself.
struct Bound {
    std::vector<Work> before;
    std::vector<BoundMessage> sends;
    std::vector<BoundMessage> receives;
    std::vector<Work> works;        ///< that something waits for
    std::vector<Task> tasks;        ///< sends, then works
    std::vector<Arrival> arrivals;  ///< per receive
    std::vector<int> phases;        ///< per receive
    LocalCopies first_copies;       ///< from the send buffer
    LocalCopies last_copies;        ///< from blocks that have arrived
    std::vector<Work> last_works;
    std::vector<Work> after;
};

/// Staging memory is the transports'. @pre each slot that the schedule reads or writes is a block
/// of the buffers, or temporary
Bound bind(const schedule::Schedule& schedule, const Buffers& buffers, const Transports& transports,
           Packing packing);

}  // namespace carpool::engine
