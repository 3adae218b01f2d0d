#pragma once

#include "engine/steps.hpp"
#include "mpi/comm_state.hpp"
#include "shared/common_memory.hpp"
#include "shared/roll_call.hpp"

#include <memory>
#include <optional>

namespace carpool::agree {

/// The roll calls of a family of calls on a communicator, where all ranks are on one node and share
/// memory.
class CommonRoll {
public:
    /// Null where ranks find out by messages who has come. Alike on all ranks whenever all have
    /// ended the call that opens it.
    shared::RollCall* calls() { return calls_ ? &*calls_ : nullptr; }

    /// Opens it if all ranks can. @note Collective.
    /// @param tag  used only until the end
    /// @pre the state is ready, and outlives the steps; no rank leaves the call before their end
    engine::Steps<void> opened(const mpi::CommState& state, int tag);

private:
    std::unique_ptr<shared::CommonMemory> memory_;
    std::optional<shared::RollCall> calls_;
};

}  // namespace carpool::agree
