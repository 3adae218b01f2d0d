#pragma once

#include "mpi/lane.hpp"
#include "schedule/schedule.hpp"

namespace carpool::call {

/// Names the peers of a schedule as ranks of the channel.
inline void name_on_channel(schedule::Schedule& schedule, const mpi::Lane& lane) {
    for (auto& round : schedule.rounds)
        for (auto* message : {&round.send, &round.receive})
            if (!message->parts.empty()) message->peer = lane.channel_rank(message->peer);
}

}  // namespace carpool::call
