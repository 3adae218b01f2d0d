#pragma once

#include "engine/activity.hpp"
#include "mpi/lane.hpp"
#include "mpi/supersteps.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// The lane of a communicator, its channel made; progresses this process' exchanges meanwhile.
/// @note Collective at the first call, and synchronising.
inline std::shared_ptr<mpi::Lane> opened_lane(MPI_Comm comm) {
    auto lane = mpi::Lane::of(comm);
    lane->wait(engine::Activity::progress);
    return lane;
}

/// Where letters travel that ranks write to each other while they plan on a communicator.
/// @note Collective over comm, whose lane this is. @pre the lane is ready, and outlives the office
inline mpi::PostOffice office_of(mpi::Lane& lane, MPI_Comm comm) {
    const int even = lane.call_tag();
    const int odd = lane.call_tag();
    return {comm,
            lane.channel_comm(),
            {even, odd},
            [&lane](int rank) { return lane.channel_rank(rank); },
            [&lane](int rank) { return lane.rank_of_channel_rank(rank); },
            engine::Activity::progress};
}

}  // namespace carpool::neighbor
