#pragma once

#include "choose/cut_offs.hpp"
#include "engine/in_order.hpp"
#include "engine/mpi_message.hpp"
#include "engine/shared_use.hpp"
#include "engine/transfer.hpp"
#include "shared/staged_content.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace carpool::engine {

/// Which messages pass through staging buffers, by their bytes.
struct Longest {
    std::int64_t put_together;  ///< of several pieces
    std::int64_t whole;         ///< of one piece, which MPI may copy but once
    bool turned = false;        ///< where either may be the better way, the other one is taken

    bool includes(const Transfer& send) const {
        const bool usual = send.bytes <= (send.whole ? whole : put_together);
        const bool either = choose::has_two_ways(send.bytes);
        return turned && either ? !usual : usual;
    }
};

/// Sends to ranks that share memory: messages, of which short ones carry their bytes and others
/// tell where in the sender's memory they lie. What several messages carry alike is put together
/// once, in a staging buffer. What finds no memory goes by MPI, and a message says so. Where
/// several endpoints, to each of which nothing else goes, are sent the same, they share one
/// multicast.
class MemorySends {
public:
    /// @param only  does nothing come here?
    /// @param use   is kept up to date, and outlives it
    MemorySends(const mpi::CommState& state, const std::vector<Transfer>& sends,
                const Longest& longest, bool only, SharedUse& use);
    ~MemorySends();
    MemorySends(const MemorySends&) = delete;
    MemorySends& operator=(const MemorySends&) = delete;

    /// One of the list has other memory from the next begin() on. @pre place_messages() follows
    void rebind(std::size_t send, const Transfer& transfer) {
        outboxes_[send].message = MpiMessage(transfer, state_);
    }

    /// Finds out by their lengths which messages are staged, and which leave as one multicast.
    void place_messages();

    void begin(int tag);
    void launch(std::size_t send);

    /// Adds one, of bytes that stay.
    void send(const Transfer& transfer, int tag);

    /// Tries again what could not leave.
    void go_on() {
        delayed_.go_on([this](std::size_t send) { return try_to_send(send); });
    }

    bool all_have_left();
    bool has_left(std::size_t send) const;

    /// What has not left, never will; what has been added is forgotten.
    void withdraw();

private:
    /// Sends of one content that leave as one multicast where their lengths allow it, once all are
    /// launched.
    struct MulticastSend {
        std::vector<std::size_t> sends;
        std::vector<std::size_t> readers = {};  ///< their numbers among those of the content
        const shared::MulticastRing::ReaderSet* reader_set = nullptr;
        bool used = false;  ///< do its messages leave as a multicast, as they are bound now?
        std::size_t launched = 0;
    };

    struct Outbox {
        MpiMessage message;
        shared::Endpoint* endpoint;
        shared::StagedContent* content = nullptr;  ///< if it has ever been staged
        std::size_t reader = 0;                    ///< of the content
        bool staged = false;                       ///< it is put together in a staging buffer
        MulticastSend* multicast_send = nullptr;   ///< of which it is one
        shared::Address address = {};
        MPI_Request request = MPI_REQUEST_NULL;

        const Transfer& transfer() const { return message.transfer(); }
        bool leaves_as_multicast() const {
            return multicast_send != nullptr && multicast_send->used;
        }
    };

    bool is_staged(const Transfer& send) const;
    void stage(Outbox& out);
    std::size_t starts_under_way() const;
    void find_multicast_sends();
    void add_multicast_send(std::vector<std::size_t> sends);
    bool prepare(MulticastSend& multicast_send);
    bool may_be_multicasts_taken(const Outbox& out) const;
    shared::Address address_of(const Outbox& out) const;

    void launch_alone(std::size_t send);
    bool post_multicast(const MulticastSend& multicast_send);
    bool try_to_send(std::size_t send);
    bool send_in_entry(Outbox& out);
    bool send_staged(Outbox& out);
    bool send_added(Outbox& out);
    bool send_by_mpi(Outbox& out);

    const mpi::CommState& state_;
    Longest longest_;
    bool only_;  // nothing comes here
    SharedUse& shared_use_;
    std::uint64_t context_;
    int tag_ = 0;
    std::vector<std::unique_ptr<shared::StagedContent>> contents_;
    std::unordered_map<int, shared::StagedContent*> content_of_;  // by number
    std::vector<std::unique_ptr<MulticastSend>> multicast_sends_;
    std::size_t bound_;  // sends, before those that are added
    std::vector<Outbox> outboxes_;
    InOrder<std::size_t> delayed_;  // which have no ring entry yet, or whose content is late
    std::size_t by_mpi_ = 0;        // under way there
};

}  // namespace carpool::engine
