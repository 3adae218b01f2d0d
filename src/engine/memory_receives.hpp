// SPDX-License-Identifier: MIT
#pragma once

#include "engine/endings.hpp"
#include "engine/mpi_message.hpp"
#include "engine/transport.hpp"
#include "shared/endpoint.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace carpool::engine {

/// Receives from ranks that share memory. An envelope carries the bytes of its message, tells where
/// they lie, or tells that the message comes by the host MPI.
class MemoryReceives {
public:
    MemoryReceives(const mpi::CommState& state, const TransferList& list);
    ~MemoryReceives();
    MemoryReceives(const MemoryReceives&) = delete;
    MemoryReceives& operator=(const MemoryReceives&) = delete;

    void post(int tag);

    /// Adds a receive.
    void receive(const Transfer& transfer, int tag);

    /// Adds a receive of the next message with that tag that has come and matches no posted
    /// receive.
    std::optional<UnexpectedMessage> probe(int tag);

    /// Takes in the messages that have come.
    void poll();

    Endings& endings() { return endings_; }
    const Endings& endings() const { return endings_; }

    /// Gives up receives that have not ended, and forgets added ones.
    void withdraw();

private:
    struct Inbox {
        MpiMessage message;
        shared::Endpoint* endpoint;
        std::size_t place;  ///< its place in the order of watching
        shared::PostedReceive posted_receive = {};
        MPI_Request request =
            MPI_REQUEST_NULL;  ///< the request of a message that comes by the host MPI
        bool ended = true;

        const Transfer& transfer() const { return message.transfer(); }
    };

    Inbox& add(const Transfer& transfer, int tag);
    void post(Inbox& inbox);
    std::optional<UnexpectedMessage> taken_from(shared::Endpoint& endpoint, int source, int tag);
    bool has_come(Inbox& inbox);
    void take(Inbox& inbox);
    bool has_come_by_mpi(Inbox& inbox);
    void receive_by_mpi(Inbox& inbox, std::int64_t bytes);
    void cancel(Inbox& inbox);

    const mpi::CommState& state_;
    std::uint64_t context_;
    std::size_t bound_;                       // how many receives are bound; added ones follow
    std::deque<Inbox> inboxes_;               // a deque: endpoints refer to posted receives
    std::deque<Transfer> added_;              // of added messages, which refer to them
    std::vector<shared::Endpoint*> sources_;  // each once
    std::vector<Inbox*> open_;                // the inboxes that have not ended
    Endings endings_;
    int next_ = 0;  // the rank that is probed next
    int vain_polls_ = 0;
};

}  // namespace carpool::engine
