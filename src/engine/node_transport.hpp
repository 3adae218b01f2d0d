#pragma once

#include "engine/memory_transfers.hpp"
#include "engine/mpi_transport.hpp"
#include "engine/transport.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::engine {

/// Through memory to the ranks with which this one shares some, by MPI to all others.
class NodeTransport final : public Transport {
public:
    NodeTransport(const mpi::CommState& state, const Longest& longest)
        : state_(state), by_mpi_(state), longest_(longest) {}

    int rank() const override { return by_mpi_.rank(); }
    choose::CutOffs cut_offs() const override { return by_mpi_.cut_offs(); }
    Staging staging(int peer, std::int64_t bytes) const override {
        return by_mpi_.staging(peer, bytes);
    }
    bool packs(int peer, std::int64_t bytes) const override {
        return bytes <= longest_.put_together && state_.mate(peer) != nullptr;
    }
    std::unique_ptr<BoundTransfers> bound(TransferList transfers,
                                          std::optional<int> tag) const override;
    std::unique_ptr<LooseMessages> loose() const override;

private:
    const mpi::CommState& state_;
    MpiTransport by_mpi_;
    Longest longest_;
};

}  // namespace carpool::engine
