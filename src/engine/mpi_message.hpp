// SPDX-License-Identifier: MIT
#pragma once

#include "engine/transfer.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/types/byte_count.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::engine {

/// A transfer as MPI's point-to-point functions take it, on the channel of a communicator.
class MpiMessage {
public:
    /// @param transfer  outlives the message; all but its peer may change between two starts,
    ///                  unless init_send() or init_receive() has been called
    MpiMessage(const Transfer& transfer, const mpi::CommState& state)
        : transfer_(&transfer),
          peer_(state.channel_rank(transfer.peer)),
          comm_(state.channel_comm()) {}

    const Transfer& transfer() const { return *transfer_; }

    /// The tag of the message in a start with the given tag.
    int tag_in(int start) const { return transfer_->rendezvous ? start - 1 : start; }

    void receive(int tag, MPI_Request& request);

    /// @param bytes  the length of the message in this start
    void send(std::int64_t bytes, int tag, MPI_Request& request);

    void init_receive(int tag, MPI_Request& request);
    void init_send(int tag, MPI_Request& request);

private:
    struct Memory {
        void* buffer;
        int count;
        MPI_Datatype type;
    };
    Memory memory();

    const Transfer* transfer_;
    mpi::ByteCount bytes_{0};  // of the latest start, if contiguous; has the type of a long one
    int peer_;                 // a rank of the channel
    MPI_Comm comm_;
};

/// Gives up a receive that has not ended. A receive whose message has come, even a message that is
/// too long, is left to its owner to be freed.
void cancel_receive(MPI_Request& request);

}  // namespace carpool::engine
