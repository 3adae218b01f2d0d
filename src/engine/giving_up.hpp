// SPDX-License-Identifier: MIT
#pragma once

#include "base/never_freed.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/comm_state.hpp"

#include <memory>
#include <utility>

namespace carpool::engine {

// A call or request that fails while its messages are under way is given up: nothing more is
// written to the user's memory; its own memory lives for ever, since MPI may still read it; and no
// other call can be made on the communicator.

/// Ignores errors of the withdrawal: the error that has led here is the one to report.
template <typename T>
void withdraw_from(T& what) noexcept try {
    what.withdraw();
} catch (...) {
}

/// Gives up a call or request that has been started. Does nothing if none of its messages is under
/// way.
inline void give_up(const std::shared_ptr<ReadyCommunication>& what,
                    mpi::CommState& state) noexcept {
    if (!what->communication->under_way()) return;
    withdraw_from(*what->communication);
    base::NeverFreed::add(std::shared_ptr<void>(what));
    state.break_off();
}

/// Gives up a call or request that is still being prepared.
inline void give_up(std::unique_ptr<Preparation> what, mpi::CommState& state) noexcept {
    withdraw_from(*what);
    base::NeverFreed::add(std::move(what));
    state.break_off();
}

}  // namespace carpool::engine
