// SPDX-License-Identifier: MIT
#pragma once

#include "engine/memory_sends.hpp"
#include "engine/transport.hpp"
#include "mpi/comm/comm_state.hpp"

namespace carpool::engine {

/// Messages through the shared segment, to ranks that share memory with this one. A message that is
/// too long goes by the host MPI; its envelope tells the receiver so.
class MemoryTransport final : public Transport {
public:
    /// @param state  outlives the transport and its messages
    MemoryTransport(const mpi::CommState& state, const StagingLimits& longest)
        : state_(state), longest_(longest) {}

    std::optional<Reach> reach(int peer) const override;
    Staging staging(int peer, std::int64_t bytes) const override;
    std::unique_ptr<Messages> messages(TransferList list) const override;
    UnexpectedTag unexpected_from(int rank) const override;

private:
    const mpi::CommState& state_;
    StagingLimits longest_;
};

}  // namespace carpool::engine
