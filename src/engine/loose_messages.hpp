// SPDX-License-Identifier: MIT
#pragma once

#include "engine/transports.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// Messages that no schedule knows beforehand, sent and received one by one, each by the transport
/// that reaches its peer. No function here waits.
class LooseMessages {
public:
    explicit LooseMessages(Transports transports);

    /// Sends bytes that stay in place until all_sent().
    /// @param synchronous  the send ends only when the target receives it
    void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous = false);

    /// Receives a message that is known to come, into memory that stays in place; returns the
    /// number of the receive.
    std::size_t receive(int source, int tag, std::span<std::byte> bytes);

    /// Memory for a message from that rank.
    Staging staging(int source, std::int64_t bytes) const {
        return transports_.staging(source, bytes);
    }

    /// Begins to receive the next message with that tag from any rank; nothing if none has come.
    std::optional<UnexpectedMessage> probe(int tag);

    /// The same if no message with that tag is synchronous: probes only the transports that carry
    /// messages that are not synchronous.
    std::optional<UnexpectedMessage> probe_unsynchronous(int tag);

    /// Whether there may be a message that is not synchronous and cannot be probed yet.
    bool is_behind() const;

    /// The number of a receive that has ended and was not returned before.
    std::optional<std::size_t> test_any();

    bool all_sent();

    /// Whether all receives have ended, also those of probed messages. test_any() may omit them
    /// afterwards.
    bool all_received();

    /// Forgets all messages, so that this can be used again. @pre all have been sent and received
    void clear();

private:
    /// The messages of one transport. Made when they are needed.
    struct Part {
        std::unique_ptr<Transport::Messages> sends = nullptr;
        std::unique_ptr<Transport::Messages> receives = nullptr;
        int sent = 0;
        std::vector<std::size_t> numbers = {};  ///< the numbers of its receives among all

        int received() const { return static_cast<int>(numbers.size()); }
    };

    Transport::Messages& sends_of(std::size_t transport);
    Transport::Messages& receives_of(std::size_t transport);
    std::size_t add_receive(Part& part);
    std::optional<UnexpectedMessage> probe(std::size_t transport, int tag);
    void find_carriers();
    void find_ended(Part& part);
    static void forget_sends(Part& part);

    Transports transports_;
    std::vector<Part> parts_;  // one per transport
    /// Which transports carry messages that are not synchronous; empty until asked.
    std::vector<char> carries_;
    std::size_t receives_ = 0;  // how many there are in all
    std::vector<int> ended_;    // room for the ended receives of a part
    std::vector<std::size_t> untold_;
};

}  // namespace carpool::engine
