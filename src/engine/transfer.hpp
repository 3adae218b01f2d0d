// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace carpool::engine {

struct TypedPieces;

/// The content of a message, wherever its bytes lie.
class Payload {
public:
    virtual ~Payload() = default;

    /// Assembles, in the transfer's own memory, the bytes to be sent; returns their number.
    virtual std::int64_t load() = 0;

    /// The same in other memory.
    /// @param memory  as many bytes as the message has at most
    virtual std::int64_t load_into(std::byte* memory) = 0;

    /// Takes bytes that have arrived in other memory, as if they had arrived in the transfer's own.
    virtual void take_from(const std::byte* memory, std::int64_t bytes) = 0;
};

/// One message: its bytes, and the rank of the communicator at its other end.
struct Transfer {
    std::byte* memory = nullptr;
    int peer = -1;
    std::int64_t bytes = 0;        ///< the most bytes that the message may have
    std::int64_t least_bytes = 0;  ///< the same, unless the length varies from start to start
    bool rendezvous = false;       ///< matched only with its kind, under the next lower tag
    bool whole = false;          ///< for sends: contiguous in memory, so that nothing is assembled
    Payload* payload = nullptr;  ///< set for all sends of a schedule; receives may have none
    int content = -1;            ///< for sends: those with the same number carry the same bytes

    /// The pieces of the message where they lie, if it has no memory of its own: only where the
    /// transport allows that (Reach).
    const TypedPieces* pieces = nullptr;
};

}  // namespace carpool::engine
