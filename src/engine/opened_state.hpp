#pragma once

#include "engine/activity.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/supersteps.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::engine {

/// The state of a communicator, its channel made; progresses this process' exchanges meanwhile.
/// @note Collective at the first call, and synchronising.
inline std::shared_ptr<mpi::CommState> opened_state(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    state->wait(Activity::progress);
    return state;
}

/// Where letters travel that ranks write to each other while they plan on a communicator.
/// @note Collective over comm, whose state this is. @pre the state is ready, and outlives the
/// result
inline mpi::SuperstepComm superstep_comm(mpi::CommState& state, MPI_Comm comm) {
    const int even = state.call_tag();
    const int odd = state.call_tag();
    return {comm,
            state.channel_comm(),
            {even, odd},
            [&state](int rank) { return state.channel_rank(rank); },
            [&state](int rank) { return state.rank_of_channel_rank(rank); },
            Activity::progress};
}

}  // namespace carpool::engine
