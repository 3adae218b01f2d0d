#pragma once

#include "engine/memory_sends.hpp"
#include "engine/transport.hpp"
#include "mpi/comm_state.hpp"

namespace carpool::engine {

/// Through memory to the ranks with which this one shares some. What is too long goes by MPI, as
/// both ends of a message hear from a message.
class MemoryTransport final : public Transport {
public:
    /// @param state  outlives it, and its messages
    MemoryTransport(const mpi::CommState& state, const Longest& longest)
        : state_(state), longest_(longest) {}

    std::optional<Reach> reach(int peer) const override;
    Staging staging(int peer, std::int64_t bytes) const override;
    std::unique_ptr<Messages> messages(TransferList list) const override;
    Unexpected unexpected_from(int rank) const override;

private:
    const mpi::CommState& state_;
    Longest longest_;
};

}  // namespace carpool::engine
