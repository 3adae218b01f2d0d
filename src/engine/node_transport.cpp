#include "engine/node_transport.hpp"

#include "engine/node_messages.hpp"
#include "engine/split_transfers.hpp"
#include "mpi/library.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace carpool::engine {
namespace {

/// Measured (docs/memory.md): beyond that MPI's single copy is faster than our two or, of what we
/// put together, as fast, and needs no memory for them.
Longest longest_through_memory() { return {1 << 20, mpi::is_open_mpi() ? 1 << 14 : 1 << 17}; }

}  // namespace

std::unique_ptr<Transport> transport_of(const mpi::CommState& state, Ways ways) {
    if (ways == Ways::mpi || state.size() == 1 || state.channel()->company().mates.empty())
        return std::make_unique<MpiTransport>(state);
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    return std::make_unique<NodeTransport>(
        state, ways == Ways::shared ? Longest{any, any} : longest_through_memory());
}

std::unique_ptr<BoundTransfers> NodeTransport::bound(TransferList transfers,
                                                     std::optional<int> tag) const {
    const auto is_near = [this](const Transfer& t) { return state_.mate(t.peer) != nullptr; };
    const auto all = [&](const auto& list) {
        return std::all_of(list.begin(), list.end(), is_near);
    };
    if (all(transfers.receives) && all(transfers.sends))
        return std::make_unique<MemoryTransfers>(std::move(transfers), state_, longest_);
    auto [near, far, split] = SplitTransfers::split(transfers, is_near);
    if (near.receives.empty() && near.sends.empty()) return by_mpi_.bound(std::move(far), tag);
    return std::make_unique<SplitTransfers>(
        std::move(split), std::make_unique<MemoryTransfers>(std::move(near), state_, longest_),
        by_mpi_.bound(std::move(far), tag));
}

std::unique_ptr<LooseMessages> NodeTransport::loose() const {
    return std::make_unique<NodeMessages>(state_, by_mpi_.loose());
}

}  // namespace carpool::engine
