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

/// Receives from ranks that share memory: messages, which carry a message, tell where it lies, or
/// that it comes by MPI.
class MemoryReceives {
public:
    MemoryReceives(const mpi::CommState& state, const TransferList& list);
    ~MemoryReceives();
    MemoryReceives(const MemoryReceives&) = delete;
    MemoryReceives& operator=(const MemoryReceives&) = delete;

    /// One of the list has other memory from the next post() on.
    void rebind(std::size_t receive, const Transfer& transfer) {
        inboxes_[receive].message = MpiMessage(transfer, state_);
    }

    void post(int tag);

    /// Adds one.
    void receive(const Transfer& transfer, int tag);

    /// Adds one of what has come and nobody expects.
    std::optional<UnexpectedMessage> probe(int tag);

    /// Takes in what has come.
    void look();

    Endings& endings() { return endings_; }
    const Endings& endings() const { return endings_; }

    /// What has not come, is not waited for; what has been added is forgotten.
    void withdraw();

private:
    struct Inbox {
        MpiMessage message;
        shared::Endpoint* endpoint;
        std::size_t place;  ///< in which it is watched
        shared::PostedReceive posted_receive = {};
        MPI_Request request = MPI_REQUEST_NULL;  ///< of what comes by MPI
        bool ended = true;

        const Transfer& transfer() const { return message.transfer(); }
    };

    Inbox& add(const Transfer& transfer, int tag);
    void expect(Inbox& inbox);
    std::optional<UnexpectedMessage> taken_from(shared::Endpoint& endpoint, int source, int tag);
    bool has_come(Inbox& inbox);
    void take(Inbox& inbox);
    bool has_come_by_mpi(Inbox& inbox);
    void receive_by_mpi(Inbox& inbox, std::int64_t bytes);
    void forget(Inbox& inbox);

    const mpi::CommState& state_;
    std::uint64_t context_;
    std::size_t bound_;                       // receives, before those that are added
    std::deque<Inbox> inboxes_;               // which stay where they are
    std::vector<shared::Endpoint*> sources_;  // each once
    std::vector<Inbox*> open_;                // that have not ended
    Endings endings_;
    int next_ = 0;  // the rank that is probed next
    int vain_looks_ = 0;
};

}  // namespace carpool::engine
