#pragma once

#include "engine/bind_message.hpp"
#include "engine/dependencies.hpp"
#include "engine/transports.hpp"
#include "engine/work.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
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

/// Binds one schedule to buffers, and to others again and again.
class Binder {
public:
    /// @pre schedule and transports outlive it
    Binder(const schedule::Schedule& schedule, const Transports& transports, Packing packing);

    /// Staging memory is the transports'. Called once.
    /// @pre each slot that the schedule reads or writes is a block of the buffers, or temporary
    Bound bind(const Buffers& buffers);

    /// Binds to other buffers what this binder has bound, in the same memory. Blocks are as long as
    /// the buffers say, whatever the schedule does.
    /// @param temp_bytes  per temporary slot, of the block that rests there
    void bind_again(const Buffers& buffers, std::span<const std::int64_t> temp_bytes, Bound& bound);

private:
    class Filling;

    Bound with_room();
    void number_contents(Bound& bound) const;

    const schedule::Schedule& schedule_;
    const Transports& transports_;
    Packing packing_;
    Dependencies dependencies_;
    std::vector<Location> locations_;  // receive slots, then temporary ones
    std::vector<Location> parts_;      // of one message
    std::vector<mpi::Block> summands_;
};

}  // namespace carpool::engine
