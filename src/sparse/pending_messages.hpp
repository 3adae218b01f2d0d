// SPDX-License-Identifier: MIT
#pragma once

#include "engine/loose_messages.hpp"
#include "sparse/delivery.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carpool::sparse {

/// The messages that one exchange has sent, and its receives of known length, until all of them
/// have ended. No function here waits.
class PendingMessages {
public:
    /// @param messages  must outlive it
    explicit PendingMessages(engine::LooseMessages& messages) : messages_(messages) {}

    /// Keeps a message that is to be sent as long as this object lives; returns where it lies.
    std::span<const std::byte> keep(std::vector<std::byte> message) {
        return kept_.emplace_back(std::move(message));
    }

    /// Sends bytes that stay where they are until all_sent().
    /// @param synchronous  the send ends only when the target has begun to receive it
    void send(int target, int tag, std::span<const std::byte> data, bool synchronous = false) {
        messages_.send(target, tag, data, synchronous);
    }

    /// Receives a message of known length; returns the memory for it.
    ParcelMemory receive(int source, int tag, std::int64_t count);

    bool all_sent() { return messages_.all_sent(); }

    /// @pre no message that was probed is still being received
    bool all_received() { return messages_.all_received(); }

private:
    std::vector<std::vector<std::byte>> kept_;
    engine::LooseMessages& messages_;
};

}  // namespace carpool::sparse
