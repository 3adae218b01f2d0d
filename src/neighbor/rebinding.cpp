#include "neighbor/rebinding.hpp"

#include "arguments/key.hpp"
#include "base/digest.hpp"
#include "collectives/problem.hpp"
#include "mpi/error.hpp"
#include "mpi/operator.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace carpool::neighbor {
namespace {

/// True if all blocks have the same size, and it is not 0: empty blocks would leave out messages.
bool are_alike(const std::vector<std::int64_t>& block_bytes) {
    const auto first = block_bytes.empty() ? 0 : block_bytes.front();
    return first > 0 && std::ranges::count(block_bytes, first) == std::ssize(block_bytes);
}

/// A digest of what all ranks know about a call. Calls with the same digest have blocks whose sizes
/// are within a factor of two, or whose sizes only pairs of ranks know.
std::uint64_t digest_of(const CheckedNeighborCall& call, const Agreed& agreed) {
    constexpr std::int64_t any_sizes = -1;
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(call.operation));
    digest.add(arguments::number_of(call.op));
    digest.add(call.uniform ? 1 : 0);
    digest.add(agreed.sized ? 0 : any_sizes);
    if (!agreed.sized) return digest.bits();
    digest.add(call.summand && !mpi::is_exact(call.op, call.summand.type()) ? 1 : 0);
    for (const auto bytes : agreed.block_bytes) digest.add(collectives::round_block(bytes, 1));
    return digest.bits();
}

}  // namespace

std::uint64_t form_of(const CheckedNeighborCall& call, const Agreed& agreed) {
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(digest_of(call, agreed)));
    for (const char letter : call.function_suffix) digest.add(letter);
    return digest.bits();
}

NeighborRebinding::NeighborRebinding(const UnsizedRoute* unsized_route, std::vector<int> sources)
    : unsized_route_(unsized_route) {
    buffers_.sources = std::move(sources);
}

bool NeighborRebinding::may_rebind(const schedule::Schedule& schedule, const Agreed& agreed) {
    temp_bytes_.resize(static_cast<std::size_t>(schedule.temp_slots));
    if (schedule::has_rendezvous_messages(schedule)) return false;
    return agreed.sized ? are_alike(agreed.block_bytes)
                        : unsized_route_ != nullptr || temp_bytes_.empty();
}

bool NeighborRebinding::fits(const CheckedNeighborCall& call, const Agreed& agreed) const {
    if (agreed.sized) return are_alike(agreed.block_bytes);
    return unsized_route_ == nullptr ||
           (mpi::none_longer(call.buffers.send, unsized_route_->longest) &&
            mpi::none_longer(call.buffers.recv, unsized_route_->longest));
}

bool NeighborRebinding::rebind(call::BoundCall& bound, CheckedNeighborCall& call,
                               const Agreed& agreed) {
    if (!fits(call, agreed)) return false;
    bound.note_size(call.buffers.send, call.buffers.recv);
    const auto mistake = mpi::mistake_in([&] {
        std::swap(buffers_.send, call.buffers.send);
        std::swap(buffers_.recv, call.buffers.recv);
        buffers_.ops.clear();
        if (call.op != MPI_OP_NULL) buffers_.ops.push_back(call.op);
        if (call.summand) bound.memory.temps.reshape([&](std::size_t) { return call.summand; });
        buffers_.temp = bound.memory.temps.blocks();
        if (agreed.sized) std::ranges::fill(temp_bytes_, agreed.block_bytes.front());
        bound.exchange->rebind(buffers_, temp_bytes_);
    });
    return !mistake;
}

}  // namespace carpool::neighbor
