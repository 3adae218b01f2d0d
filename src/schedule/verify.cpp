// SPDX-License-Identifier: MIT
#include "schedule/verify.hpp"

#include "schedule/complaints.hpp"
#include "schedule/execution.hpp"
#include "schedule/matching.hpp"
#include "schedule/rank_checks.hpp"

#include <string>
#include <utility>

namespace carpool::schedule {
namespace {

void check_place(int rank, int position, const Content& found, const Content& wanted,
                 SumOrder order, Complaints& complaints) {
    const Slot slot{Slot::Kind::recv, position};
    if (found == wanted || found.normalised(order) == wanted.normalised(order)) return;
    if (wanted)
        complaints.add({rank}, slot, " must hold ", to_text(wanted), ", but holds ",
                       to_text(found));
    else
        complaints.add({rank}, slot, " must stay untouched, but holds ", to_text(found));
}

void check_places(std::span<const Schedule> schedules, const Execution& execution,
                  const Postcondition& postcondition, SumOrder order, Complaints& complaints) {
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
        const auto self = static_cast<int>(rank);
        for (int position = 0; position < schedules[rank].recv_slots; ++position)
            check_place(self, position, execution.found(self, {Slot::Kind::recv, position}),
                        postcondition[rank][static_cast<std::size_t>(position)], order, complaints);
    }
}

/// Checks that must succeed before anything else can be checked.
void check_shapes(std::span<const Schedule> schedules, const Postcondition& postcondition,
                  Complaints& complaints) {
    const auto ranks = static_cast<int>(schedules.size());
    for (int rank = 0; rank < ranks; ++rank) {
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        const auto at = static_cast<std::size_t>(rank);
        const auto wanted = at < postcondition.size() ? postcondition[at].size() : 0;
        if (wanted != static_cast<std::size_t>(schedule.recv_slots))
            complaints.add({rank}, "has ", schedule.recv_slots, " receive slots, but ", wanted,
                           " are expected");
        if (schedule.send_slots < 0 || schedule.temp_slots < 0)
            complaints.add({rank}, "has a negative number of slots");
        check_ranges(rank, schedule, ranks, complaints);
    }
}

}  // namespace

std::vector<std::string> verify(std::span<const Schedule> schedules,
                                const Postcondition& postcondition, SumOrder order) {
    Complaints complaints;
    check_shapes(schedules, postcondition, complaints);
    if (!complaints.none()) return std::move(complaints).take();

    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        check_writes_and_reads(static_cast<int>(rank), schedules[rank], complaints);
    const auto matches = match_messages(schedules, complaints);
    Execution execution(schedules, matches, order);
    execution.run(complaints);
    check_places(schedules, execution, postcondition, order, complaints);
    return std::move(complaints).take();
}

}  // namespace carpool::schedule
