#pragma once

#include "choose/cut_offs.hpp"
#include "engine/in_order.hpp"
#include "engine/receive_lengths.hpp"
#include "engine/transport.hpp"
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

/// Messages between ranks that share memory: letters, of which short ones carry their bytes and
/// others tell where in the sender's memory they lie. What several messages carry alike is put
/// together once, in one of several rooms, so that the next one can be while the last is read. What
/// has no room goes by MPI, and a letter says so. Where several mates, to each of which nothing
/// else goes, are sent the same, they share one notice.
class MemoryTransfers final : public BoundTransfers {
public:
    MemoryTransfers(TransferList transfers, const mpi::CommState& state, const Longest& longest);
    ~MemoryTransfers() override;

    void post(int tag) override;
    void launch(std::size_t send) override;
    std::span<const int> test_some(int count, std::span<int> ended) override;
    bool test_receives(int first, int end) override;
    bool test_rest(int first) override;
    bool needs_tests() const override { return !inboxes_.empty() || !outboxes_.empty(); }
    SharedUse shared_use() const override { return shared_use_; }
    std::vector<int> awaited() const override;
    void withdraw() override;

private:
    /// Sends that leave as one notice, once all of them may.
    struct Circular {
        const shared::NoticeBoard::Audience* audience;
        std::vector<std::size_t> sends;
        std::vector<std::size_t> readers;  ///< their numbers among those of the rooms
        std::size_t launched = 0;
    };

    struct Outbox {
        shared::Mate* mate;
        shared::Rooms* rooms = nullptr;  ///< none for what fits into a letter or goes by MPI
        std::size_t reader = 0;          ///< of the rooms
        Circular* circular = nullptr;    ///< of which it is one
        MPI_Request request = MPI_REQUEST_NULL;
    };

    struct Inbox {
        shared::Mate* mate;
        std::size_t place;  ///< in which it is watched
        shared::Expectation expectation = {};
        MPI_Request request = MPI_REQUEST_NULL;  ///< of what comes by MPI
        bool ended = true;
    };

    static bool needs_room(const Transfer& send, const Longest& longest);
    void open_rooms(const Longest& longest);
    std::size_t rooms_in_turn() const;
    shared::Rooms* new_rooms(std::int64_t bytes);
    void find_circulars();
    void add_circular(std::vector<std::size_t> sends);
    bool may_be_noticed(std::size_t send) const;
    shared::Address address_of(const Transfer& transfer) const;

    void launch_alone(std::size_t send);
    bool post_notice(const Circular& circular);
    bool try_to_send(std::size_t send);
    bool send_in_cell(std::size_t send);
    bool send_in_room(std::size_t send);
    bool send_by_mpi(std::size_t send);

    void look();
    bool has_come(std::size_t receive);
    void take(std::size_t receive);
    bool has_come_by_mpi(std::size_t receive);
    void receive_by_mpi(std::size_t receive);
    bool all_sent();

    TransferList transfers_;
    const mpi::CommState& state_;
    ReceiveLengths lengths_;
    std::uint64_t context_;
    int tag_ = 0;
    std::vector<std::unique_ptr<shared::Rooms>> rooms_;
    SharedUse shared_use_;
    std::vector<std::unique_ptr<Circular>> circulars_;
    std::vector<Outbox> outboxes_;
    std::vector<Inbox> inboxes_;
    std::vector<shared::Mate*> sources_;  // each once
    std::vector<std::size_t> open_;       // receives that have not ended
    std::vector<char> ended_;             // per place
    std::vector<int> untold_;             // places of receives that have ended
    InOrder<std::size_t> delayed_;        // sends for which there is no room yet
    std::size_t by_mpi_ = 0;              // sends under way there
    int vain_looks_ = 0;
};

}  // namespace carpool::engine
