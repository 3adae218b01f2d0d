#pragma once

#include "engine/in_order.hpp"
#include "engine/receive_lengths.hpp"
#include "engine/transport.hpp"
#include "shared/household.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// Messages between ranks that share memory: letters, of which short ones carry their bytes and
/// others tell where in the sender's memory they lie. A sender has two rooms per message, so that
/// it can put together the next one while the last is read. What has no room goes by MPI, and a
/// letter says so.
class MemoryTransfers final : public BoundTransfers {
public:
    /// @param longest  message that gets rooms, in bytes
    MemoryTransfers(TransferList transfers, const mpi::CommState& state, std::int64_t longest);
    ~MemoryTransfers() override;

    void post(int tag) override;
    void launch(std::size_t send) override;
    std::span<const int> test_some(int count, std::span<int> ended) override;
    bool test_receives(int first, int end) override;
    bool test_rest(int first) override;
    bool needs_tests() const override { return !inboxes_.empty() || !outboxes_.empty(); }
    bool has_all_of(int rank) const override;
    std::vector<int> awaited() const override;
    void withdraw() override;

private:
    struct Room {
        std::size_t offset = 0;
        std::uint64_t number = 0;  ///< of the latest letter about it
    };

    struct Outbox {
        shared::Mate* mate;
        std::optional<std::array<Room, 2>> rooms = {};
        std::size_t next = 0;  ///< room
        MPI_Request request = MPI_REQUEST_NULL;
    };

    struct Inbox {
        shared::Mate* mate;
        shared::Expectation expectation = {};
        MPI_Request request = MPI_REQUEST_NULL;  ///< of what comes by MPI
        bool ended = true;
    };

    void open_room(std::size_t send, std::int64_t longest);
    shared::Address address_of(const Transfer& transfer) const;

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

    std::size_t place_of(std::size_t receive) const {
        return static_cast<std::size_t>(transfers_.order[receive]);
    }

    TransferList transfers_;
    const mpi::CommState& state_;
    ReceiveLengths lengths_;
    int tag_ = 0;
    std::vector<Outbox> outboxes_;
    std::vector<Inbox> inboxes_;
    std::vector<shared::Mate*> sources_;  // each once
    std::vector<std::size_t> open_;       // receives that have not ended
    std::vector<bool> ended_;             // per place
    std::vector<int> untold_;             // places of receives that have ended
    InOrder<std::size_t> delayed_;        // sends for which there is no room yet
    std::size_t by_mpi_ = 0;              // sends under way there
    int vain_looks_ = 0;
};

}  // namespace carpool::engine
