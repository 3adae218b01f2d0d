// SPDX-License-Identifier: MIT
#pragma once

#include "checker.hpp"
#include "shared/endpoint.hpp"
#include "shared/memory.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace carpool::model {

inline constexpr shared::Address here{7, 3};

/// Memory of a process. Not given back, since it is in the arena.
inline shared::Memory& memory_of(std::size_t bytes) {
    return *shared::Memory::create(bytes).release();
}

/// Two processes with a mailbox for each other.
struct Ends {
    /// @param memory  of process 1
    explicit Ends(std::span<const std::byte> memory = {},
                  const shared::MulticastEntries* multicasts = nullptr, std::size_t reader = 0)
        : sender(*mailboxes[0], *mailboxes[1], {}, {nullptr, 0, reader}),
          receiver(*mailboxes[1], *mailboxes[0], memory, {multicasts, reader, 0}) {}

    std::unique_ptr<shared::Mailbox> mailboxes[2] = {std::make_unique<shared::Mailbox>(),
                                                     std::make_unique<shared::Mailbox>()};
    shared::Endpoint sender;    // as the sender sees the receiver
    shared::Endpoint receiver;  // the other way round
};

/// Writes a number as the content of a message; false if no ring entry is free.
inline bool send(shared::Endpoint& endpoint, std::int64_t value) {
    return endpoint.send(here, shared::ContentPlace::in_entry, sizeof value,
                         std::as_bytes(std::span(&value, 1))) != 0;
}

inline void send_all(shared::Endpoint& endpoint, std::int64_t first, std::int64_t end) {
    for (auto value = first; value < end; ++value) await([&] { return send(endpoint, value); });
}

/// The number that a message has brought.
inline std::int64_t value_in(const shared::Envelope& envelope) {
    check(envelope.bytes == sizeof(std::int64_t), "a message has the size with which it was sent");
    std::int64_t value = 0;
    std::memcpy(&value, envelope.content, sizeof value);
    return value;
}

/// Receives messages, posting each receive before the message is looked for.
inline void receive_all(shared::Endpoint& endpoint, std::int64_t first, std::int64_t end) {
    for (auto value = first; value < end; ++value) {
        shared::PostedReceive next{here};
        endpoint.post(next);
        await([&] {
            endpoint.poll();
            return next.matched.load(std::memory_order_acquire);
        });
        check(value_in(next.envelope) == value, "messages come whole and in order");
        endpoint.release(next.envelope);
    }
}

}  // namespace carpool::model
