#pragma once

#include "engine/transfer.hpp"
#include "mpi/byte_count.hpp"
#include "mpi/comm_state.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::engine {

/// A transfer as MPI's point-to-point functions take it, on the channel of a communicator. Whatever
/// datatypes it needs are made once.
class MpiMessage {
public:
    MpiMessage(const Transfer& transfer, const mpi::CommState& state);

    const Transfer& transfer() const { return transfer_; }

    /// The tag of its own in a start with that one.
    int tag_in(int start) const { return transfer_.rendezvous ? start - 1 : start; }

    void receive(int tag, MPI_Request& request) const;

    /// @param bytes  that it has this time
    void send(std::int64_t bytes, int tag, MPI_Request& request) const;

    void init_receive(int tag, MPI_Request& request) const;
    void init_send(int tag, MPI_Request& request) const;

private:
    Transfer transfer_;
    void* buffer_;
    mpi::ByteCount bytes_;  // of a piece of memory
    int count_;
    MPI_Datatype type_;
    int peer_;  // a rank of the channel
    MPI_Comm comm_;
};

/// Gives up a receive that has not ended. One whose message has come, or has come too long, is
/// left to whoever frees it.
void cancel_receive(MPI_Request& request);

}  // namespace carpool::engine
