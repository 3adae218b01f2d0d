#include "schedule/waybills.hpp"

#include "schedule/long_blocks.hpp"

#include <utility>

namespace carpool::schedule {

Schedule with_waybills(Schedule schedule, std::int64_t longest, const topology::Adjacency& edges,
                       int rank, const SlotBytes& own) {
    for (auto& round : schedule.rounds) round.send.waybill = round.receive.waybill = true;
    const int phase = schedule.rounds.empty() ? 0 : schedule.rounds.back().phase;
    for (auto& round : rounds_of_long_blocks(edges, rank, own, longest, phase, true))
        schedule.rounds.push_back(std::move(round));
    return schedule;
}

}  // namespace carpool::schedule
