#include "engine/node_transport.hpp"

#include "engine/node_messages.hpp"
#include "engine/split_transfers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace carpool::engine {
namespace {

Longest longest_through_memory(const choose::CutOffs& cut_offs, Ways ways) {
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    if (ways == Ways::shared) return {any, any};
    return {cut_offs.put_together_through_memory, cut_offs.whole_through_memory,
            ways == Ways::other};
}

}  // namespace

std::unique_ptr<Transport> transport_of(const mpi::CommState& state, Ways ways) {
    if (ways == Ways::mpi || state.size() == 1 || state.channel()->company().mates.empty())
        return std::make_unique<MpiTransport>(state);
    return std::make_unique<NodeTransport>(state, longest_through_memory(state.cut_offs(), ways));
}

/// What is added to others is read at once: to copy it out brings it nearer (docs/memory.md).
std::unique_ptr<BoundTransfers> NodeTransport::bound(TransferList transfers,
                                                     std::optional<int> tag) const {
    auto longest = longest_;
    if (transfers.summed) longest.whole = std::max(longest.whole, longest.put_together);
    const auto is_near = [this](const Transfer& t) { return state_.mate(t.peer) != nullptr; };
    const auto all = [&](const auto& list) {
        return std::all_of(list.begin(), list.end(), is_near);
    };
    if (all(transfers.receives) && all(transfers.sends))
        return std::make_unique<MemoryTransfers>(std::move(transfers), state_, longest);
    auto [near, far, split] = SplitTransfers::split(transfers, is_near);
    if (near.receives.empty() && near.sends.empty()) return by_mpi_.bound(std::move(far), tag);
    return std::make_unique<SplitTransfers>(
        std::move(split), std::make_unique<MemoryTransfers>(std::move(near), state_, longest),
        by_mpi_.bound(std::move(far), tag));
}

std::unique_ptr<LooseMessages> NodeTransport::loose() const {
    return std::make_unique<NodeMessages>(state_, by_mpi_.loose());
}

}  // namespace carpool::engine
