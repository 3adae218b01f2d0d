#pragma once

#include "many/delivery.hpp"
#include "mpi/lane.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::many {

/// How an exchange speaks MPI: bytes to and from ranks of a communicator, on its channel. Nothing
/// here waits.
class Wire {
public:
    /// @param lane  outlives it
    explicit Wire(const mpi::Lane& lane) : lane_(lane) {}
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

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
    const mpi::Lane& lane_;
    std::vector<std::vector<std::byte>> kept_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;
};

}  // namespace carpool::many
