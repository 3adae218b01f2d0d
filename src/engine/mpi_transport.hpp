// SPDX-License-Identifier: MIT
#pragma once

#include "engine/transport.hpp"
#include "mpi/comm/comm_state.hpp"

namespace carpool::engine {

/// Point-to-point messages of the host MPI on the channel of a communicator, to all of its ranks.
class MpiTransport final : public Transport {
public:
    /// @param state  outlives the transport and its messages
    explicit MpiTransport(const mpi::CommState& state) : state_(state) {}

    std::optional<Reach> reach(int peer) const override;
    Staging staging(int peer, std::int64_t bytes) const override;
    std::unique_ptr<Messages> messages(TransferList list) const override;
    UnexpectedTag unexpected_from(int rank) const override;

private:
    const mpi::CommState& state_;
};

}  // namespace carpool::engine
