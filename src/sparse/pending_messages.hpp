#pragma once

#include "mpi/comm_state.hpp"
#include "sparse/delivery.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::sparse {

/// How an exchange speaks MPI: bytes to and from ranks of a communicator, on its channel. Nothing
/// here waits.
class PendingMessages {
public:
    /// @param state  outlives it
    explicit PendingMessages(const mpi::CommState& state) : state_(state) {}
    PendingMessages(const PendingMessages&) = delete;
    PendingMessages& operator=(const PendingMessages&) = delete;

    /// Keeps what is to be sent as long as it lives itself; returns where it lies.
    std::span<const std::byte> keep(std::vector<std::byte> message);

    /// Bytes that stay until all has been sent.
    /// @param synchronous  ends when the target has met it
    void send(int target, int tag, std::span<const std::byte> data, bool synchronous = false);

    /// Receives what is known to come; returns where it will lie.
    Memory receive(int source, int tag, std::int64_t count);

    bool all_sent();
    bool all_received();  ///< of receive()

private:
    const mpi::CommState& state_;
    std::vector<std::vector<std::byte>> kept_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;
};

}  // namespace carpool::sparse
