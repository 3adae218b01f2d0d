#pragma once

#include "choose/cut_offs.hpp"
#include "engine/in_order.hpp"
#include "engine/mpi_message.hpp"
#include "engine/shared_use.hpp"
#include "engine/transfer.hpp"
#include "shared/rooms.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace carpool::engine {

/// Which messages get rooms, by their bytes.
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

/// Sends to ranks that share memory: letters, of which short ones carry their bytes and others tell
/// where in the sender's memory they lie. What several messages carry alike is put together once,
/// in one of several rooms, so that the next one can be while the last is read. What has no room
/// goes by MPI, and a letter says so. Where several mates, to each of which nothing else goes, are
/// sent the same, they share one notice.
class MemorySends {
public:
    /// @param only  does nothing come here?
    MemorySends(const mpi::CommState& state, const std::vector<Transfer>& sends,
                const Longest& longest, bool only);
    ~MemorySends();
    MemorySends(const MemorySends&) = delete;
    MemorySends& operator=(const MemorySends&) = delete;

    /// One of the list has other memory from the next begin() on. @pre place_messages() follows
    void rebind(std::size_t send, const Transfer& transfer) {
        outboxes_[send].message = MpiMessage(transfer, state_);
    }

    /// Finds out by their lengths which messages take rooms, and which leave as one notice.
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

    const SharedUse& shared_use() const { return shared_use_; }

private:
    /// Sends of one content that leave as one notice where their lengths allow it, once all are
    /// launched.
    struct Circular {
        std::vector<std::size_t> sends;
        std::vector<std::size_t> readers = {};  ///< their numbers among those of the rooms
        const shared::NoticeBoard::Audience* audience = nullptr;
        bool used = false;  ///< do its messages leave as a notice, as they are bound now?
        std::size_t launched = 0;
    };

    struct Outbox {
        MpiMessage message;
        shared::Mate* mate;
        shared::Rooms* rooms = nullptr;  ///< those of its content, if there are any
        std::size_t reader = 0;          ///< of the rooms
        bool in_room = false;            ///< it leaves in one of them
        Circular* circular = nullptr;    ///< of which it is one
        shared::Address address = {};
        MPI_Request request = MPI_REQUEST_NULL;

        const Transfer& transfer() const { return message.transfer(); }
        bool leaves_as_notice() const { return circular != nullptr && circular->used; }
    };

    bool needs_room(const Transfer& send) const;
    bool take_room(Outbox& out);
    void extend_rooms();
    std::size_t rooms_in_turn() const;
    void find_circulars();
    void add_circular(std::vector<std::size_t> sends);
    bool prepare(Circular& circular);
    bool may_be_noticed(const Outbox& out) const;
    shared::Address address_of(const Outbox& out) const;

    void launch_alone(std::size_t send);
    bool post_notice(const Circular& circular);
    bool try_to_send(std::size_t send);
    bool send_in_cell(Outbox& out);
    bool send_in_room(Outbox& out);
    bool send_added(Outbox& out);
    bool send_by_mpi(Outbox& out);

    const mpi::CommState& state_;
    Longest longest_;
    bool only_;  // nothing comes here
    std::uint64_t context_;
    int tag_ = 0;
    std::vector<std::unique_ptr<shared::Rooms>> rooms_;
    std::unordered_map<int, shared::Rooms*> rooms_of_;  // by content
    SharedUse shared_use_;
    std::vector<std::unique_ptr<Circular>> circulars_;
    std::size_t bound_;  // sends, before those that are added
    std::vector<Outbox> outboxes_;
    InOrder<std::size_t> delayed_;  // for which there is no room yet
    std::size_t by_mpi_ = 0;        // under way there
};

}  // namespace carpool::engine
