#include "neighbor/filling.hpp"

#include "arguments/handle_number.hpp"
#include "base/digest.hpp"
#include "collectives/problem.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

namespace carpool::neighbor {
namespace {

std::uint64_t rounded(std::int64_t bytes) {
    return static_cast<std::uint64_t>(collectives::round_block(bytes, 1));
}

engine::Buffers first_buffers(const CheckedNeighborCall& call, std::vector<int> sources) {
    engine::Buffers buffers;
    buffers.send = call.buffers.send;
    buffers.recv = call.buffers.recv;
    buffers.sources = std::move(sources);
    if (call.op != MPI_OP_NULL) buffers.ops.push_back(call.op);
    return buffers;
}

std::optional<std::int64_t> longest_of(const UnsizedRoute* route) {
    return route != nullptr ? std::optional(route->longest) : std::nullopt;
}

}  // namespace

NeighborFilling::NeighborFilling(std::shared_ptr<const Topology> topology,
                                 const CheckedNeighborCall& call, const UnsizedRoute* unsized_route,
                                 std::vector<int> sources)
    : Filling(first_buffers(call, std::move(sources)), longest_of(unsized_route)),
      topology_(std::move(topology)) {}

/// Finds the sizes of forwarded blocks. On an unsized route, length headers state them instead.
void NeighborFilling::find_temp_bytes(std::span<const std::int64_t> block_bytes) {
    if (block_bytes.size() == 1) {
        std::ranges::fill(temp_bytes_, block_bytes.front());
        return;
    }
    for (std::size_t slot = 0; slot < temp_blocks_.size(); ++slot)
        temp_bytes_[slot] = block_bytes[static_cast<std::size_t>(temp_blocks_[slot])];
}

bool NeighborFilling::has_same_empty_blocks(const CheckedNeighborCall& arguments) const {
    const auto both_or_none = [](const mpi::Block& one, const mpi::Block& other) {
        return (one.shape.bytes() == 0) == (other.shape.bytes() == 0);
    };
    return std::ranges::equal(buffers_.send, arguments.buffers.send, both_or_none) &&
           std::ranges::equal(buffers_.recv, arguments.buffers.recv, both_or_none);
}

bool NeighborFilling::fill(call::BoundCall& bound, CheckedNeighborCall& arguments,
                           const Agreed& agreed) {
    auto& blocks = arguments.buffers;
    return Filling::fill(bound, blocks.send, blocks.recv, [&] {
        balance_.reset();
        std::swap(buffers_.send, blocks.send);
        std::swap(buffers_.recv, blocks.recv);
        if (arguments.summand && !temp_bytes_.empty()) {
            bound.memory.temps.reshape([&](std::size_t) { return arguments.summand; });
            buffers_.temp = bound.memory.temps.blocks();
        }
        if (agreed.sized) find_temp_bytes(agreed.block_bytes);
    });
}

EdgeEnds NeighborFilling::ends() const {
    return {topology_->rank(), &topology_->edges(), mpi::sizes_of(buffers_.send),
            mpi::sizes_of(buffers_.recv), buffers_.recv};
}

std::uint64_t NeighborFilling::balance() {
    if (!balance_) balance_ = neighbor::balance(ends());
    return *balance_;
}

call::CallForm form_of(const NeighborArguments& arguments) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    const auto function = arguments::function_suffix(send, recv);
    const std::int64_t suffix = function.empty() ? 0 : function.front();
    return {static_cast<std::int64_t>(operation) << 8 | suffix, 0,
            op != MPI_OP_NULL ? arguments::number_of(op) : 0};
}

/// The sizes of blocks that differ are told apart by a digest, above all other classes.
call::SizeClass size_class_of(const CheckedNeighborCall& call, const Agreed& agreed) {
    const auto& block_bytes = agreed.block_bytes;
    if (!agreed.sized || block_bytes.empty()) return call::sizes_of_pairs;
    constexpr call::SizeClass is_known = 8;
    const auto rounds = static_cast<std::uint64_t>(call.reduced.rounds) << 1 | is_known;
    const auto first = rounded(block_bytes.front());
    if (std::ranges::all_of(block_bytes, [first](auto b) { return rounded(b) == first; }))
        return static_cast<std::uint64_t>(std::bit_width(first)) << 8 | rounds;
    constexpr std::uint64_t of_digests = std::uint64_t{1} << 63;
    base::Digest digest;
    for (const auto bytes : block_bytes) digest.add(static_cast<std::int64_t>(rounded(bytes)));
    return digest.bits() << 4 | rounds | of_digests;
}

}  // namespace carpool::neighbor
