#pragma once

#include "mpi/comm_state.hpp"
#include "schedule/schedule.hpp"

namespace carpool::call {

/// Names the peers of a schedule as ranks of the channel.
inline void name_on_channel(schedule::Schedule& schedule, const mpi::CommState& state) {
    for (auto& round : schedule.rounds)
        for (auto* message : {&round.send, &round.receive})
            if (!message->parts.empty()) message->peer = state.channel_rank(message->peer);
}

}  // namespace carpool::call
