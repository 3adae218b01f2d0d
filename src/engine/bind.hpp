#pragma once

#include "engine/bind_message.hpp"
#include "schedule/schedule.hpp"

#include <vector>

namespace carpool::engine {

/// The user's blocks, one per position of the neighborhood (one in all for the send side of
/// allgather). Positions that the schedule does not touch may be empty.
struct Buffers {
    std::vector<mpi::Block> send;
    std::vector<mpi::Block> recv;
};

/// A send, and what it waits for.
struct BoundSend {
    BoundMessage message;
    int waits_for = 0;        ///< receives it forwards blocks of, and sends to the same peer before
    int next_same_peer = -1;  ///< the send that may leave only after this one
};

/// A receive, and the sends that forward blocks of it.
struct BoundReceive {
    BoundMessage message;
    std::vector<int> unlocks;
};

/// Blocks that stay on this rank: gathered into scratch memory, then scattered to their places.
struct LocalCopies {
    CopyList gathers;
    CopyList scatters;
    std::vector<std::unique_ptr<std::byte[]>> scratch;

    void run() const {
        gathers.run();
        scatters.run();
    }
};

/// A schedule bound to buffers: all messages of one rank in the order of their rounds, and the
/// copies that need no message.
struct Bound {
    std::vector<BoundSend> sends;
    std::vector<BoundReceive> receives;
    LocalCopies first_copies;  ///< from the send buffer
    LocalCopies last_copies;   ///< from blocks that have arrived
};

Bound bind(const schedule::Schedule& schedule, const Buffers& buffers, Packing packing);

}  // namespace carpool::engine
