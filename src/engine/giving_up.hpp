#pragma once

#include "base/never_freed.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"

#include <memory>
#include <utility>

namespace carpool::engine {

// What has failed while its messages were under way is given up: nothing is written any more to the
// user's memory, its own lives on for ever, since MPI may still read it, and there can be no other
// call on the communicator.

/// What goes wrong then changes nothing: the error that has led here is the one to tell.
template <typename T>
void withdraw_from(T& what) noexcept try {
    what.withdraw();
} catch (...) {
}

/// A call or request that has been started; nothing if none of its messages is under way.
inline void give_up(const std::shared_ptr<Prepared>& what, mpi::CommState& state) noexcept {
    if (!what->communication->under_way()) return;
    withdraw_from(*what->communication);
    base::NeverFreed::add(std::shared_ptr<void>(what));
    state.break_off();
}

/// One that is still being prepared.
inline void give_up(std::unique_ptr<Preparation> what, mpi::CommState& state) noexcept {
    withdraw_from(*what);
    base::NeverFreed::add(std::move(what));
    state.break_off();
}

}  // namespace carpool::engine
