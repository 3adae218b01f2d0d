// SPDX-License-Identifier: MIT
#include "neighbor/known_sizes.hpp"

#include <utility>

namespace carpool::neighbor {

bool KnownSizes::to_all() const {
    return schedule::reduces(operation_) ||
           (topology_.declared() && topology_.definition().unsure_sizes == 0);
}

bool KnownSizes::to_ends() const {
    return !to_all() && !(uniform_ && topology_.definition().one_size);
}

bool KnownSizes::by_edge() const { return !topology_.declared() && !schedule::reduces(operation_); }

EdgeEnds KnownSizes::ends() const {
    const auto& buffers = call_->buffers;
    auto ends = ends_of(topology_.rank(), topology_.edges(), buffers.send, buffers.recv);
    if (schedule::sends_one_block(operation_))
        ends.sent.assign(static_cast<std::size_t>(topology_.outdegree()), ends.sent.front());
    return ends;
}

AgreedSizes KnownSizes::agreed(const mpi::Tally& tally, std::vector<std::int64_t> claimed) const {
    if (by_edge()) return agreed_by_edge(tally);
    AgreedSizes agreed{std::move(claimed)};
    reduce_to_one(agreed);
    return agreed;
}

AgreedSizes KnownSizes::agreed_by_edge(const mpi::Tally& tally) const {
    const auto most = std::max<std::int64_t>(0, tally.bytes.most);
    if (tally.one_size() || operation_ != schedule::Operation::alltoall)
        return {{most}, tally.one_size()};
    const auto blocks = std::max<std::int64_t>(1, tally.degree.most);
    const auto bytes = std::max<std::int64_t>(0, tally.flow.most);
    const auto straight = std::max<std::int64_t>(0, tally.long_degree.most);
    return {{(bytes + blocks - 1) / blocks},
            false,
            {straight, straight, std::max<std::int64_t>(0, tally.long_flow.most)}};
}

/// The sizes of blocks count one by one only in a declared neighborhood.
void KnownSizes::reduce_to_one(AgreedSizes& agreed) const {
    auto& bytes = agreed.block_bytes;
    if (topology_.declared() || bytes.size() <= 1) return;
    const auto [least, most] = std::ranges::minmax(bytes);
    bytes.assign(1, most);
    agreed.sized = least == most;
}

/// The size of this rank's first block; if it has no blocks, the size that the arguments state.
std::int64_t KnownSizes::one_size() const {
    for (const auto* side : {&call_->buffers.send, &call_->buffers.recv})
        for (const auto& block : *side)
            if (block.shape) return block.shape.bytes();
    return call_->block_bytes.values.empty() ? 0 : call_->block_bytes.values.front();
}

mpi::Extremes KnownSizes::sizes_here() const {
    mpi::Extremes sizes;
    for (const auto* side : {&call_->buffers.send, &call_->buffers.recv})
        for (const auto& block : *side)
            if (block.shape) sizes.add(block.shape.bytes());
    return sizes;
}

/// True if this rank knows the sizes of all blocks. Unless it is mistaken, all ranks do if one
/// does.
bool KnownSizes::known_here() const { return to_all() || (!to_ends() && sizes_here().one()); }

void KnownSizes::find_without_vote(AgreedSizes& agreed) const {
    const auto& claimed = call_->block_bytes.values;
    auto& bytes = agreed.block_bytes;
    agreed.straight = {};
    agreed.sized = known_here();
    if (!agreed.sized) {
        bytes.assign(1, std::max<std::int64_t>(0, sizes_here().most));
        return;
    }
    const bool by_position = topology_.declared() && !claimed.empty();
    if (uniform_)
        bytes.assign(by_position ? claimed.size() : 1, one_size());
    else
        bytes.assign(claimed.begin(), claimed.end());
    reduce_to_one(agreed);
}

}  // namespace carpool::neighbor
