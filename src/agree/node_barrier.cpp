#include "agree/node_barrier.hpp"

#include "agree/joint_numbers.hpp"
#include "mpi/endpoint_table.hpp"

#include <unistd.h>

#include <cstdint>
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
    JointNumbers address(state, tag, address_of(memory.get()), MPI_SUM);
    co_await engine::until(address);
    const auto process = static_cast<long>(address.result()[0]);
    const auto descriptor = static_cast<int>(address.result()[1]);
    if (!makes_it && process != 0)
        memory = CommonMemory::open(process, descriptor, sizeof(BarrierCounters));
    JointNumbers content(state, tag, {memory ? 1 : 0}, MPI_MIN);
    co_await engine::until(content);
    if (content.result().front() == 0) memory.reset();
    if (memory) memory->close();
    co_return memory;
}

}  // namespace

engine::Steps<void> NodeBarrier::opened(const mpi::CommState& state, int tag) {
    if (calls_ || !may_have_one(state)) co_return;
    auto making = memory_of_all(state, tag);
    co_await engine::until(making);
    memory_ = making.take();
    if (memory_)
        calls_.emplace(*reinterpret_cast<BarrierCounters*>(memory_->start()), state.size());
}

}  // namespace carpool::agree
