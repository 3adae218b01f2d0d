#pragma once

#include "many/delivery.hpp"
#include "mpi/handle.hpp"
#include "mpi/lane.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
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

    /// @param synchronous  ends when the target has met it
    void send(int target, int tag, std::vector<std::byte> message, bool synchronous = false);

    /// Memory that lives until all has been sent.
    void send(int target, int tag, const std::byte* bytes, std::int64_t count);

    /// Receives what is known to come; returns where it will lie.
    Memory receive(int source, int tag, std::int64_t count);

    struct Message {
        int source;
        Memory memory;
        std::int64_t bytes;
    };

    /// The next message with that tag that has arrived whole, from whomever; nothing if none has.
    /// Once met, a message is taken in whatever else comes.
    std::optional<Message> arrived(int tag);

    /// Is none that has been met still coming in?
    bool all_in() const { return coming_.empty(); }

    bool all_sent();
    bool all_received();  ///< of receive()

private:
    struct Coming {
        Message message;
        mpi::Request request;
    };

    void meet(int tag);

    const mpi::Lane& lane_;
    std::vector<std::vector<std::byte>> sent_;
    std::vector<MPI_Request> sends_;
    std::vector<MPI_Request> receives_;
    std::vector<Coming> coming_;
};

}  // namespace carpool::many
