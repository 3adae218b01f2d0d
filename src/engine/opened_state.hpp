// SPDX-License-Identifier: MIT
#pragma once

#include "engine/activity.hpp"
#include "mpi/comm/comm_state.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::engine {

/// Returns the state of a communicator once its channel has been made. Progresses the activities of
/// this process while it waits.
/// @note Collective at the first call, and synchronising.
inline std::shared_ptr<mpi::CommState> opened_state(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    state->wait(Activity::progress);
    return state;
}

}  // namespace carpool::engine
