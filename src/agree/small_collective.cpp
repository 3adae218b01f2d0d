// SPDX-License-Identifier: MIT
#include "agree/small_collective.hpp"

#include "collectives/algorithm.hpp"
#include "mpi/types/extent.hpp"

namespace carpool::agree {
namespace {

/// Whether ranks are so few that each may send straight to one of them, or to all.
bool are_few(const mpi::CommState& state) { return state.size() <= 32; }

template <typename Number>
mpi::Block block(std::span<Number> numbers, MPI_Datatype type) {
    return {reinterpret_cast<std::byte*>(numbers.data()),
            mpi::Shape(static_cast<MPI_Count>(numbers.size()), type)};
}

}  // namespace

mpi::Block block_of(std::span<std::int64_t> numbers) { return block(numbers, MPI_INT64_T); }
mpi::Block block_of(std::span<double> numbers) { return block(numbers, MPI_DOUBLE); }

/// Two ranks send to each other; on several nodes the algorithm takes account of these.
std::string_view small_allreduce(const mpi::CommState& state) {
    if (state.size() == 2) return "spread";
    if (state.nodes()) return "node";
    return are_few(state) ? "star" : "reduce-bcast";
}

/// Through memory a rank sends to all others at once.
std::string_view allreduce_beside(const mpi::CommState& state) {
    const bool at_once = state.all_on_one_node() && are_few(state);
    return at_once ? "spread" : small_allreduce(state);
}

SmallCollective::SmallCollective(const mpi::CommState& state, collectives::Kind kind,
                                 std::string_view algorithm, const CollectiveBlocks& blocks) {
    const auto& own = blocks.send.front().shape;
    collectives::Problem problem{kind, state.size(), 0, {own.bytes()}};
    if (collectives::reduces(kind)) problem.unit = mpi::size_of(own.type());
    problem.nodes = state.nodes();
    auto schedule = collectives::schedule_of(*collectives::find_algorithm(kind, algorithm), problem,
                                             state.rank());
    const auto buffers = collective_buffers(blocks, problem, 1, schedule, memory_);
    exchange_ = engine::exchange_of(
        state, schedule, buffers,
        {.packing = engine::Packing::automatic, .watch = engine::Watch::by_phase});
}

}  // namespace carpool::agree
