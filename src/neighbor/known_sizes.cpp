#include "neighbor/known_sizes.hpp"

#include <span>
#include <utility>

namespace carpool::neighbor {
namespace {

void add_sizes(mpi::Extremes& sizes, std::span<const topology::Edge> edges,
               std::span<const std::int64_t> bytes) {
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank) sizes.add(bytes[i]);
}

}  // namespace

mpi::Extremes sizes_at(const EdgeEnds& ends) {
    mpi::Extremes sizes;
    add_sizes(sizes, ends.edges->out, ends.sent);
    add_sizes(sizes, ends.edges->in, ends.received);
    return sizes;
}

bool KnownSizes::to_all() const {
    return schedule::reduces(operation_) ||
           (topology_.declared() && topology_.definition().unsure_sizes == 0);
}

bool KnownSizes::to_ends() const {
    return !to_all() && !(uniform_ && topology_.definition().one_size);
}

bool KnownSizes::by_edge() const { return !topology_.declared() && !schedule::reduces(operation_); }

EdgeEnds KnownSizes::ends() const {
    auto sent = bytes_sent(*call_);
    if (schedule::sends_one_block(operation_))
        sent.assign(static_cast<std::size_t>(topology_.outdegree()), sent.front());
    return {topology_.rank(), &topology_.edges(), std::move(sent), bytes_received(*call_)};
}

Agreed KnownSizes::agreed(const mpi::Tally& tally, std::vector<std::int64_t> claimed) const {
    return by_edge() ? agreed_by_edge(tally) : agreed_by_position(std::move(claimed));
}

Agreed KnownSizes::agreed_by_edge(const mpi::Tally& tally) const {
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

Agreed KnownSizes::agreed_by_position(std::vector<std::int64_t> block_bytes) const {
    if (topology_.declared() || block_bytes.size() <= 1) return {std::move(block_bytes), true};
    const auto [least, most] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    return {{*most}, *least == *most};
}

/// The size of this rank's first block; if it has no blocks, the size that the arguments state.
std::int64_t KnownSizes::one_size() const {
    for (const auto* side : {&call_->buffers.send, &call_->buffers.recv})
        for (const auto& block : *side)
            if (block.shape) return block.shape.bytes();
    return call_->block_bytes.values.empty() ? 0 : call_->block_bytes.values.front();
}

/// True if this rank knows the sizes of all blocks. Unless it is mistaken, all ranks do if one
/// does.
bool KnownSizes::known_here() const { return to_all() || (!to_ends() && sizes_at(ends()).one()); }

Agreed KnownSizes::without_vote() const {
    const auto& claimed = call_->block_bytes.values;
    if (!known_here()) return {{std::max<std::int64_t>(0, sizes_at(ends()).most)}, false};
    if (!uniform_) return agreed_by_position(claimed);
    const bool by_position = topology_.declared() && !claimed.empty();
    return agreed_by_position(std::vector(by_position ? claimed.size() : 1, one_size()));
}

}  // namespace carpool::neighbor
