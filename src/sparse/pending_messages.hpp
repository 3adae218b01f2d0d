#pragma once

#include "engine/loose_messages.hpp"
#include "sparse/delivery.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carpool::sparse {

/// What one exchange has sent, and receives of known length, until all of it has ended. Nothing
/// here waits.
class PendingMessages {
public:
    /// @param messages  outlive it
    explicit PendingMessages(engine::LooseMessages& messages) : messages_(messages) {}

    /// Keeps what is to be sent as long as it lives itself; returns where it lies.
    std::span<const std::byte> keep(std::vector<std::byte> message) {
        return kept_.emplace_back(std::move(message));
    }

    /// Bytes that stay until all has been sent.
    /// @param synchronous  ends when the target receives it
    void send(int target, int tag, std::span<const std::byte> data, bool synchronous = false) {
        messages_.send(target, tag, data, synchronous);
    }

    /// Receives what is known to come; returns where it will lie.
    ParcelMemory receive(int source, int tag, std::int64_t count);

    bool all_sent() { return messages_.all_sent(); }

    /// @pre nothing that was probed is on its way
    bool all_received() { return messages_.all_received(); }

private:
    std::vector<std::vector<std::byte>> kept_;
    engine::LooseMessages& messages_;
};

}  // namespace carpool::sparse
