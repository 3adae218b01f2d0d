#pragma once

#include "engine/transports.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// Messages of which nobody knows beforehand, one by one, each by the transport that reaches its
/// other end. Nothing here waits.
class LooseMessages {
public:
    explicit LooseMessages(Transports transports);

    /// Bytes that stay where they are until all_sent().
    /// @param synchronous  ends when the target receives it
    void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous = false);

    /// Receives what is known to come, into memory that stays; returns the number of the receive.
    std::size_t receive(int source, int tag, std::span<std::byte> bytes);

    /// Memory for a message from that rank.
    Staging staging(int source, std::int64_t bytes) const {
        return transports_.staging(source, bytes);
    }

    /// Begins to receive the next message of that tag from whomever; nothing if none has come.
    std::optional<UnexpectedMessage> probe(int tag);

    /// The same where none of these is synchronous: only by the transports that such ones go by.
    std::optional<UnexpectedMessage> probe_unsynchronous(int tag);

    /// May something that is not synchronous be there that cannot be probed yet?
    bool is_behind() const;

    /// The number of a receive that has ended and was not named before.
    std::optional<std::size_t> test_any();

    bool all_sent();

    /// Also of what has been probed. What it finds ended, test_any() may not name.
    bool all_received();

    /// Forgets all, to be used again. @pre all has been sent and received
    void clear();

private:
    /// What goes by one transport. Made when it is needed.
    struct Part {
        std::unique_ptr<Transport::Messages> sends = nullptr;
        std::unique_ptr<Transport::Messages> receives = nullptr;
        int sent = 0;
        std::vector<std::size_t> numbers = {};  ///< of its receives

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
    std::vector<Part> parts_;    // one per transport
    std::vector<char> carries_;  // per transport, what is not synchronous; none until it is asked
    std::size_t receives_ = 0;   // so many in all
    std::vector<int> ended_;     // room for those of a part
    std::vector<std::size_t> untold_;
};

}  // namespace carpool::engine
