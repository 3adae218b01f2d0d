#include "neighbor/filling.hpp"

#include "arguments/handle_number.hpp"
#include "base/digest.hpp"
#include "collectives/problem.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace carpool::neighbor {
namespace {

std::uint64_t rounded(std::int64_t bytes) {
    return static_cast<std::uint64_t>(collectives::round_block(bytes, 1));
}

}  // namespace

NeighborFilling::NeighborFilling(std::shared_ptr<const Topology> topology,
                                 const CheckedNeighborCall& call, const UnsizedRoute* unsized_route,
                                 std::vector<int> sources)
    : topology_(std::move(topology)), unsized_route_(unsized_route) {
    buffers_.send = call.buffers.send;
    buffers_.recv = call.buffers.recv;
    buffers_.sources = std::move(sources);
    if (call.op != MPI_OP_NULL) buffers_.ops.push_back(call.op);
}

bool NeighborFilling::may_fill(const schedule::Schedule& schedule, const Agreed& agreed) {
    temp_blocks_ = schedule.temp_blocks;
    temp_bytes_.resize(static_cast<std::size_t>(schedule.temp_slots));
    const bool knows_temps =
        agreed.sized ? agreed.block_bytes.size() == 1 || temp_blocks_.size() == temp_bytes_.size()
                     : unsized_route_ != nullptr || temp_bytes_.empty();
    fills_ = knows_temps && !schedule::has_rendezvous_messages(schedule);
    return fills_;
}

bool NeighborFilling::is_bound_to(const CheckedNeighborCall& arguments) const {
    return bound_ && buffers_.send == arguments.buffers.send &&
           buffers_.recv == arguments.buffers.recv;
}

/// Finds the sizes of forwarded blocks. On an unsized route, length headers state them instead.
void NeighborFilling::find_temp_bytes(std::span<const std::int64_t> block_bytes) {
    if (block_bytes.size() == 1) {
        std::ranges::fill(temp_bytes_, block_bytes.front());
        return;
    }
    for (std::size_t slot = 0; slot < temp_blocks_.size(); ++slot)
        temp_bytes_[slot] = block_bytes[static_cast<std::size_t>(temp_blocks_[slot])];
}

/// True if no block is too long for the messages of the unsized route.
bool NeighborFilling::all_ride(const engine::Buffers& blocks) const {
    return unsized_route_ == nullptr || (mpi::none_longer(blocks.send, unsized_route_->longest) &&
                                         mpi::none_longer(blocks.recv, unsized_route_->longest));
}

bool NeighborFilling::fill(call::BoundCall& bound, CheckedNeighborCall& arguments,
                           const Agreed& agreed) {
    auto& blocks = arguments.buffers;
    if (!fills_ || !all_ride(blocks)) return false;
    bound_ = false;  // until all is filled
    bound.note_size(blocks.send, blocks.recv);
    std::swap(buffers_.send, blocks.send);
    std::swap(buffers_.recv, blocks.recv);
    if (arguments.summand && !temp_bytes_.empty()) {
        bound.memory.temps.reshape([&](std::size_t) { return arguments.summand; });
        buffers_.temp = bound.memory.temps.blocks();
    }
    if (agreed.sized) find_temp_bytes(agreed.block_bytes);
    bound.exchange->fill(buffers_, temp_bytes_);
    bound_ = true;
    return true;
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
    const auto rounds = static_cast<std::uint64_t>(call.rounds) << 1 | is_known;
    const auto first = rounded(block_bytes.front());
    if (std::ranges::all_of(block_bytes, [first](auto b) { return rounded(b) == first; }))
        return static_cast<std::uint64_t>(std::bit_width(first)) << 8 | rounds;
    constexpr std::uint64_t of_digests = std::uint64_t{1} << 63;
    base::Digest digest;
    for (const auto bytes : block_bytes) digest.add(static_cast<std::int64_t>(rounded(bytes)));
    return digest.bits() << 4 | rounds | of_digests;
}

}  // namespace carpool::neighbor
