// SPDX-License-Identifier: MIT
#include "agree/node_barrier.hpp"

#include "agree/allreduce_steps.hpp"
#include "mpi/comm/endpoint_table.hpp"

#include <unistd.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::agree {
namespace {

using shared::BarrierCounters;
using shared::CommonMemory;
using shared::CountingBarrier;

bool may_have_one(const mpi::CommState& state) {
    return state.size() > 1 && state.size() <= CountingBarrier::most_ranks &&
           state.all_on_one_node();
}

/// The process and the file descriptor by which others open memory; zeros, which are no process, if
/// there is no memory.
std::vector<std::int64_t> address_of(const CommonMemory* memory) {
    if (memory == nullptr) return {0, 0};
    return {getpid(), memory->descriptor()};
}

/// Memory that all ranks share; null on all ranks if one of them cannot open it.
engine::Steps<std::unique_ptr<CommonMemory>> memory_of_all(const mpi::CommState& state, int tag) {
    std::unique_ptr<CommonMemory> memory;
    const bool makes_it = state.rank() == 0;
    if (makes_it) memory = mpi::shared_segment()->make_common(sizeof(BarrierCounters));
    auto own = address_of(memory.get());
    const auto address = co_await allreduce(state, tag, std::move(own), MPI_SUM);
    const auto process = static_cast<long>(address[0]);
    const auto descriptor = static_cast<int>(address[1]);
    if (!makes_it && process != 0)
        memory = CommonMemory::open(process, descriptor, sizeof(BarrierCounters));
    std::vector<std::int64_t> has_it(1, memory ? 1 : 0);
    const auto all_have_it = co_await allreduce(state, tag, std::move(has_it), MPI_MIN);
    if (all_have_it.front() == 0) memory.reset();
    if (memory) memory->close();
    co_return memory;
}

}  // namespace

engine::Steps<void> NodeBarrier::opened(const mpi::CommState& state, int tag) {
    if (calls_ || !may_have_one(state)) co_return;
    memory_ = co_await memory_of_all(state, tag);
    if (memory_)
        calls_.emplace(*reinterpret_cast<BarrierCounters*>(memory_->start()), state.size());
}

}  // namespace carpool::agree
