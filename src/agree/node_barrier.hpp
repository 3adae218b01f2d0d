// SPDX-License-Identifier: MIT
#pragma once

#include "engine/steps.hpp"
#include "mpi/comm/comm_state.hpp"
#include "shared/common_memory.hpp"
#include "shared/counting_barrier.hpp"

#include <memory>
#include <optional>

namespace carpool::agree {

/// The counting barrier for one family of calls on a communicator, if all its ranks are on one node
/// and share memory.
class NodeBarrier {
public:
    /// Null where ranks find out by messages which of them have arrived. The same on all ranks once
    /// all have ended the call that opens it.
    shared::CountingBarrier* calls() { return calls_ ? &*calls_ : nullptr; }

    /// Opens the barrier if all ranks can. @note Collective.
    /// @param tag  in use only until the end
    /// @pre the state is ready, and outlives the steps; no rank leaves the call before their end
    engine::Steps<void> opened(const mpi::CommState& state, int tag);

private:
    std::unique_ptr<shared::CommonMemory> memory_;
    std::optional<shared::CountingBarrier> calls_;
};

}  // namespace carpool::agree
