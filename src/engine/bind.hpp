// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bind_message.hpp"
#include "engine/transports.hpp"
#include "engine/work.hpp"
#include "schedule/dependencies.hpp"
#include "schedule/schedule.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::engine {

/// A copy within this process, from one block to another of the same size.
struct Move {
    mpi::Block from;
    mpi::Block to;
};

/// The user's blocks, one per slot of the schedule. Slots that the schedule does not use may be
/// empty.
struct Buffers {
    std::vector<mpi::Block> send;
    std::vector<mpi::Block> recv;
    std::vector<mpi::Block> temp;  ///< only if sums need them as typed memory
    std::vector<MPI_Op> ops = {};  ///< the operators of sums, by their numbers

    /// Copies before anything else at a start, and after all else at its end, for user's memory
    /// that the messages do not use directly.
    std::vector<Move> before = {};
    std::vector<Move> after = {};

    std::vector<int> sources = {};  ///< per receive slot, the source of its block; for errors only
};

/// A schedule bound to buffers: all messages of one rank in the order of their rounds, and its
/// local work.
struct BoundSchedule {
    std::vector<Work> before;
    std::vector<BoundMessage> sends;
    std::vector<BoundMessage> receives;
    std::vector<Work> works;                  ///< works that something waits for
    std::vector<schedule::Task> tasks;        ///< sends, then works
    std::vector<schedule::Arrival> arrivals;  ///< per receive
    std::vector<int> phases;                  ///< per receive
    LocalCopies first_copies;                 ///< from the send buffer
    LocalCopies last_copies;                  ///< from blocks that have arrived
    std::vector<Work> last_works;
    std::vector<Work> after;
};

/// Binds one schedule to buffers, and fills what it has bound with other buffers again and again.
class Binder {
public:
    /// @pre schedule and transports outlive it
    Binder(const schedule::Schedule& schedule, const Transports& transports, Packing packing);

    /// Binds the schedule to buffers, with staging memory of the transports. Called once.
    /// @pre each slot that the schedule reads or writes is a block of the buffers, or temporary
    BoundSchedule bind(const Buffers& buffers);

    /// Fills what this binder has bound with other buffers, in the same memory. The lengths of
    /// blocks are those of the buffers, whatever the schedule has.
    /// @param temp_bytes  per temporary slot, the bytes of the block that rests there
    void fill(const Buffers& buffers, std::span<const std::int64_t> temp_bytes,
              BoundSchedule& bound);

    /// The same for buffers whose blocks are as long as those before.
    void fill(const Buffers& buffers, BoundSchedule& bound);

private:
    class Filler;

    BoundSchedule with_room();
    void number_contents(BoundSchedule& bound) const;

    const schedule::Schedule& schedule_;
    const Transports& transports_;
    Packing packing_;
    schedule::Dependencies dependencies_;
    std::vector<Location> locations_;  // receive slots, then temporary ones
    std::vector<Location> parts_;      // of one message
    std::vector<const mpi::Block*> summands_;
};

}  // namespace carpool::engine
