// SPDX-License-Identifier: MIT
#include "neighbor/filler.hpp"

#include "arguments/handle_number.hpp"
#include "base/digest.hpp"
#include "collectives/problem.hpp"
#include "device/driver.hpp"
#include "mpi/comm/operator.hpp"
#include "mpi/types/element.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace carpool::neighbor {
namespace {

/// Whether the handle means the same type as long as a call is bound to blocks of that type. Looks
/// for derived types first, as whoever reads blocks.
bool keeps_its_meaning(MPI_Datatype type, mpi::KnownTypes& types) {
    return type != MPI_DATATYPE_NULL &&
           (types.find(type) != nullptr || mpi::predefined_element(type) != nullptr);
}

bool types_keep_their_meaning(const Side& side, int blocks, mpi::KnownTypes& types) {
    if (!side.varying_types) return keeps_its_meaning(side.one_type, types);
    return std::all_of(side.types, side.types + blocks,
                       [&](auto type) { return keeps_its_meaning(type, types); });
}

std::uint64_t rounded(std::int64_t bytes) {
    return static_cast<std::uint64_t>(collectives::round_block(bytes, 1));
}

}  // namespace

/// Finds the sizes of forwarded blocks. On an unsized route, length headers state them instead.
void NeighborFiller::find_temp_bytes(std::span<const std::int64_t> block_bytes) {
    if (block_bytes.size() == 1) {
        std::ranges::fill(temp_bytes_, block_bytes.front());
        return;
    }
    for (std::size_t slot = 0; slot < temp_blocks_.size(); ++slot)
        temp_bytes_[slot] = block_bytes[static_cast<std::size_t>(temp_blocks_[slot])];
}

void NeighborFiller::make_room_for(const NeighborArguments& arguments) {
    noted_.send.reserve(arguments.send, sent_blocks(*topology_, arguments.operation));
    noted_.recv.reserve(arguments.recv, topology_->indegree());
}

void NeighborFiller::note(const NeighborArguments& arguments, CheckedNeighborCall& read,
                          call::SizeClass size_class) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    const int sent = sent_blocks(*topology_, operation);
    if (mpi::is_users(op) || !types_keep_their_meaning(send, sent, read.types) ||
        !types_keep_their_meaning(recv, topology_->indegree(), read.types))
        return;
    noted_.send.take(send, sent);
    noted_.recv.take(recv, topology_->indegree());
    noted_.size_class = size_class;
    is_noted_ = true;
}

std::optional<call::SizeClass> NeighborFiller::class_if_noted(
    const NeighborArguments& arguments) const {
    // a GPU's memory may have come to where other memory was
    const bool is_bound = is_noted_ && device::Driver::known() == nullptr &&
                          noted_.send.equals(arguments.send) && noted_.recv.equals(arguments.recv);
    return is_bound ? std::optional(noted_.size_class) : std::nullopt;
}

bool NeighborFiller::has_same_empty_blocks(const CheckedNeighborCall& arguments) const {
    const auto both_or_none = [](const mpi::Block& one, const mpi::Block& other) {
        return (one.shape.bytes() == 0) == (other.shape.bytes() == 0);
    };
    return std::ranges::equal(buffers_.send, arguments.buffers.send, both_or_none) &&
           std::ranges::equal(buffers_.recv, arguments.buffers.recv, both_or_none);
}

bool NeighborFiller::fill(call::BoundCall& bound, CheckedNeighborCall& arguments,
                          const AgreedSizes& agreed) {
    auto& blocks = arguments.buffers;
    return CallFiller::fill(bound, blocks.send, blocks.recv, [&] {
        balance_.reset();
        is_noted_ = false;
        std::swap(buffers_.send, blocks.send);
        std::swap(buffers_.recv, blocks.recv);
        if (arguments.summand && !temp_bytes_.empty()) {
            bound.memory.temps.reshape([&](std::size_t) { return arguments.summand; });
            buffers_.temp = bound.memory.temps.blocks();
        }
        if (agreed.sized) find_temp_bytes(agreed.block_bytes);
    });
}

EdgeEnds NeighborFiller::ends() const {
    auto ends = ends_of(topology_->rank(), topology_->edges(), buffers_.send, buffers_.recv);
    ends.blocks = buffers_.recv;
    return ends;
}

std::uint64_t NeighborFiller::balance() {
    if (!balance_)
        balance_ = neighbor::balance(
            ends_of(topology_->rank(), topology_->edges(), buffers_.send, buffers_.recv));
    return *balance_;
}

call::CallForm form_of(const NeighborArguments& arguments) {
    const auto& [operation, send, recv, op, overlap] = arguments;
    const auto function = arguments::function_suffix(send, recv);
    const std::int64_t suffix = function.empty() ? 0 : function.front();
    return {static_cast<std::int64_t>(operation) << 8 | suffix, 0,
            op != MPI_OP_NULL ? arguments::number_of(op) : 0};
}

namespace {

/// The sizes of blocks that differ are told apart by a digest, above all other classes.
call::SizeClass class_of_sizes(const CheckedNeighborCall& call, const AgreedSizes& agreed) {
    const auto& block_bytes = agreed.block_bytes;
    if (!agreed.sized || block_bytes.empty()) return call::sizes_of_pairs;
    const auto rounds = static_cast<std::uint64_t>(call.checked_op.rounds) << 1 | call::known_sizes;
    const auto first = rounded(block_bytes.front());
    if (std::ranges::all_of(block_bytes, [first](auto b) { return rounded(b) == first; }))
        return static_cast<std::uint64_t>(std::bit_width(first)) << 8 | rounds;
    constexpr std::uint64_t of_digests = std::uint64_t{1} << 63;
    base::Digest digest;
    for (const auto bytes : block_bytes) digest.add(static_cast<std::int64_t>(rounded(bytes)));
    return digest.bits() << 5 | rounds | of_digests;
}

}  // namespace

call::SizeClass size_class_of(const CheckedNeighborCall& call, const AgreedSizes& agreed) {
    return call::with_place(class_of_sizes(call, agreed), call.buffers.send, call.buffers.recv);
}

}  // namespace carpool::neighbor
