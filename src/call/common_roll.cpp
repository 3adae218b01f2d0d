#include "call/common_roll.hpp"

#include "call/joint_numbers.hpp"

#include <unistd.h>

#include <cstdint>
#include <vector>

namespace carpool::call {
namespace {

using shared::CommonMemory;
using shared::Roll;
using shared::RollCall;

bool may_have_one(const mpi::CommState& state) {
    return state.size() > 1 && state.size() <= RollCall::most_ranks && state.all_share_memory() &&
           !state.nodes();
}

/// Where others find memory; zeros, which are no process, where there is none.
std::vector<std::int64_t> address_of(const CommonMemory* memory) {
    if (memory == nullptr) return {0, 0};
    return {getpid(), memory->descriptor()};
}

}  // namespace

engine::Steps<void> CommonRoll::opened(CallContext context) {
    const auto& [comm, state, tag, number, persistent, together, waits] = context.ticket;
    if (calls_ || !may_have_one(*state)) co_return;
    const bool makes_it = state->rank() == 0;
    if (makes_it) memory_ = CommonMemory::create(sizeof(Roll));
    JointNumbers address(*state, tag, address_of(memory_.get()), MPI_SUM);
    co_await engine::until(address);
    const auto& [process, descriptor] = std::pair(address.result()[0], address.result()[1]);
    if (!makes_it && process != 0)
        memory_ = CommonMemory::open(static_cast<long>(process), static_cast<int>(descriptor));
    JointNumbers content(*state, tag, {memory_ != nullptr ? 1 : 0}, MPI_MIN);
    co_await engine::until(content);
    if (content.result().front() == 0) memory_.reset();
    if (!memory_) co_return;
    memory_->close();
    calls_.emplace(*reinterpret_cast<Roll*>(memory_->start()), state->size());
}

}  // namespace carpool::call
