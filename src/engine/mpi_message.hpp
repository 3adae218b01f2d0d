#pragma once

#include "engine/transfer.hpp"
#include "mpi/byte_count.hpp"
#include "mpi/comm_state.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::engine {

/// A transfer as MPI's point-to-point functions take it, on the channel of a communicator. The
/// datatypes that it needs are made once.
class MpiMessage {
public:
    MpiMessage(const Transfer& transfer, const mpi::CommState& state);

    const Transfer& transfer() const { return transfer_; }

    /// Has other memory from now on, and perhaps another length; the peer stays the same.
    void become(const Transfer& transfer) {
        transfer_ = transfer;
        describe();
    }

    /// The tag of the message in a start with the given tag.
    int tag_in(int start) const { return transfer_.rendezvous ? start - 1 : start; }

    void receive(int tag, MPI_Request& request) const;

    /// @param bytes  the length of the message in this start
    void send(std::int64_t bytes, int tag, MPI_Request& request) const;

    void init_receive(int tag, MPI_Request& request) const;
    void init_send(int tag, MPI_Request& request) const;

private:
    void describe();

    Transfer transfer_;
    void* buffer_ = nullptr;
    mpi::ByteCount bytes_{0};  // of contiguous memory
    int count_ = 0;
    MPI_Datatype type_ = MPI_BYTE;
    int peer_;  // a rank of the channel
    MPI_Comm comm_;
};

/// Gives up a receive that has not ended. A receive whose message has come, even a message that is
/// too long, is left to its owner to be freed.
void cancel_receive(MPI_Request& request);

}  // namespace carpool::engine
