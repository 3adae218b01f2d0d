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
    /// Sends that leave as one notice, once all of them may.
    struct Circular {
        const shared::NoticeBoard::Audience* audience;
        std::vector<std::size_t> sends;
        std::vector<std::size_t> readers;  ///< their numbers among those of the rooms
        std::size_t launched = 0;
    };

    struct Outbox {
        MpiMessage message;
        shared::Mate* mate;
        shared::Rooms* rooms = nullptr;  ///< none for what fits into a letter or goes by MPI
        std::size_t reader = 0;          ///< of the rooms
        Circular* circular = nullptr;    ///< of which it is one
        shared::Address address = {};
        MPI_Request request = MPI_REQUEST_NULL;

        const Transfer& transfer() const { return message.transfer(); }
    };

    static bool needs_room(const Transfer& send, const Longest& longest);
    void open_rooms(const Longest& longest, bool only);
    std::size_t rooms_in_turn(bool only) const;
    shared::Rooms* new_rooms(std::int64_t bytes);
    void find_circulars();
    void add_circular(std::vector<std::size_t> sends);
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
    std::uint64_t context_;
    int tag_ = 0;
    std::vector<std::unique_ptr<shared::Rooms>> rooms_;
    SharedUse shared_use_;
    std::vector<std::unique_ptr<Circular>> circulars_;
    std::size_t bound_;  // sends, before those that are added
    std::vector<Outbox> outboxes_;
    InOrder<std::size_t> delayed_;  // for which there is no room yet
    std::size_t by_mpi_ = 0;        // under way there
};

}  // namespace carpool::engine
