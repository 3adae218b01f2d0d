#pragma once

#include <cstddef>
#include <cstdint>

namespace carpool::engine {

struct TypedPieces;

/// What a message carries, wherever it comes to lie.
class Payload {
public:
    virtual ~Payload() = default;

    /// Puts together what is to be sent in the transfer's own memory; returns its length.
    virtual std::int64_t load() = 0;

    /// The same elsewhere. @param memory  as many bytes as the message has at most
    virtual std::int64_t load_into(std::byte* memory) = 0;

    /// Takes what has come elsewhere, as if it had come into the transfer's own memory.
    virtual void take_from(const std::byte* memory, std::int64_t bytes) = 0;
};

/// One message: its bytes, and the rank of the communicator at its other end.
struct Transfer {
    std::byte* memory = nullptr;
    int peer = -1;
    std::int64_t bytes = 0;        ///< the most that it may have
    std::int64_t least_bytes = 0;  ///< as many, unless its length is found out at each start
    bool rendezvous = false;       ///< matched only with others that are, under the tag below
    bool whole = false;            ///< of sends: one piece of memory, which nobody puts together
    Payload* payload = nullptr;    ///< of all sends; of receives wherever there is some
    int content = -1;              ///< of sends: those with one number carry the same bytes

    /// Where its pieces are, if it has no memory of its own: only where the transport does without
    /// (Reach::packs_to).
    const TypedPieces* pieces = nullptr;
};

}  // namespace carpool::engine
