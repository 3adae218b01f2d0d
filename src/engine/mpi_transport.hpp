#pragma once

#include "engine/transport.hpp"

namespace carpool::engine {

/// Point-to-point messages of MPI on the channel of a communicator.
class MpiTransport final : public Transport {
public:
    explicit MpiTransport(const mpi::CommState& state) : state_(state) {}

    int rank() const override { return state_.rank(); }
    choose::CutOffs cut_offs() const override { return state_.cut_offs(); }
    Staging staging(int peer, std::int64_t bytes) const override;
    bool packs(int, std::int64_t) const override { return false; }
    std::unique_ptr<BoundTransfers> bound(TransferList transfers,
                                          std::optional<int> tag) const override;
    std::unique_ptr<LooseMessages> loose() const override;

private:
    const mpi::CommState& state_;
};

}  // namespace carpool::engine
