// SPDX-License-Identifier: MIT
#pragma once

#include "choose/cut_offs.hpp"
#include "engine/mpi_message.hpp"
#include "engine/shared_use.hpp"
#include "engine/transfer.hpp"
#include "engine/waiting_sends.hpp"
#include "shared/envelope.hpp"
#include "shared/staged_content.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace carpool::engine {

/// The longest messages that go through staging buffers, in bytes.
struct StagingLimits {
    std::int64_t put_together;  ///< for messages of several pieces
    std::int64_t whole;         ///< for messages of one piece, which MPI may copy only once
    bool swapped = false;       ///< where either transport may be faster, the other one is taken

    bool includes(const Transfer& send) const {
        const bool usual = send.bytes <= (send.whole ? whole : put_together);
        const bool either = choose::may_take_either_transport(send.bytes);
        return swapped && either ? !usual : usual;
    }

    /// The longest message that may go through memory. A contiguous one that fits into a ring entry
    /// always does.
    std::int64_t longest() const {
        return std::max({put_together, whole, swapped ? choose::longest_by_either_transport : 0,
                         static_cast<std::int64_t>(shared::RingEntry::capacity)});
    }
};

/// Sends to ranks that share memory. The envelope of a short message carries its bytes; that of a
/// longer one tells where they lie in the sender's memory. The common content of several messages
/// is assembled once, in a staging buffer. A message that finds no memory goes by the host MPI, and
/// its envelope says so. Endpoints that are sent the same content and nothing else share one
/// multicast.
class MemorySends {
public:
    /// @param only_sends  this rank receives nothing here
    /// @param use   is kept up to date, and outlives this object
    MemorySends(const mpi::CommState& state, const std::vector<const Transfer*>& sends,
                const StagingLimits& longest, bool only_sends, SharedUse& use);
    ~MemorySends();
    MemorySends(const MemorySends&) = delete;
    MemorySends& operator=(const MemorySends&) = delete;

    /// Decides by their lengths which messages are staged, and which leave as one multicast. It is
    /// called again after transfers have been filled with other memory.
    void place_messages();

    void begin(int tag);
    void launch(std::size_t send);

    /// Adds a send of bytes that stay in place.
    void send(const Transfer& transfer, int tag);

    /// Attempts again the sends that could not leave.
    void go_on() {
        delayed_.go_on([this](std::size_t send) { return try_to_send(send); });
    }

    bool all_have_left();
    bool has_left(std::size_t send) const;

    /// Drops the sends that have not left, and forgets added ones.
    void withdraw();

private:
    /// Sends of one content. They leave as one multicast once all are launched, if their lengths
    /// allow it.
    struct MulticastSend {
        std::vector<std::size_t> sends;
        std::vector<std::size_t> readers = {};  ///< their numbers among the readers of the content
        const shared::MulticastRing::ReaderSet* reader_set = nullptr;
        bool used = false;  ///< its messages leave as a multicast, as they are bound now
        std::size_t launched = 0;
    };

    struct Outbox {
        MpiMessage message;
        shared::Endpoint* endpoint;
        shared::StagedContent* content = nullptr;  ///< null if it has never been staged
        std::size_t reader = 0;                    ///< its number among the readers of the content
        bool staged = false;                       ///< it is assembled in a staging buffer
        MulticastSend* multicast_send = nullptr;   ///< the multicast send that it belongs to
        shared::Address address = {};
        MPI_Request request = MPI_REQUEST_NULL;

        const Transfer& transfer() const { return message.transfer(); }
        bool leaves_as_multicast() const {
            return multicast_send != nullptr && multicast_send->used;
        }
    };

    bool is_staged(const Transfer& send) const;
    void size_contents();
    void stage(Outbox& out);
    std::size_t starts_under_way() const;
    void find_multicast_sends();
    void add_multicast_send(std::vector<std::size_t> sends);
    bool prepare(MulticastSend& multicast_send);
    bool fits_multicast(const Outbox& out) const;
    shared::Address address_of(const Outbox& out) const;

    void launch_alone(std::size_t send);
    bool post_multicast(const MulticastSend& multicast_send);
    bool try_to_send(std::size_t send);
    bool send_in_entry(Outbox& out);
    bool send_staged(Outbox& out);
    bool send_added(Outbox& out);
    bool send_by_mpi(Outbox& out);

    const mpi::CommState& state_;
    StagingLimits longest_;
    bool only_sends_;  // this rank receives nothing here
    SharedUse& shared_use_;
    std::uint64_t context_;
    int tag_ = 0;
    std::vector<std::unique_ptr<shared::StagedContent>> contents_;
    std::unordered_map<int, shared::StagedContent*> content_of_;  // by number
    std::vector<std::unique_ptr<MulticastSend>> multicast_sends_;
    std::size_t bound_;  // how many sends are bound; added ones follow
    std::vector<Outbox> outboxes_;
    std::deque<Transfer> added_;         // of added messages, which refer to them
    WaitingSends<std::size_t> delayed_;  // sends that wait for a ring entry or a staging buffer
    std::size_t by_mpi_ = 0;             // sends that are under way by the host MPI
};

}  // namespace carpool::engine
