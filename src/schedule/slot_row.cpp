// SPDX-License-Identifier: MIT
#include "schedule/slot_row.hpp"

namespace carpool::schedule {

SlotRow::SlotRow(std::span<const Schedule> schedules) {
    first_.reserve(3 * schedules.size() + 1);
    first_.push_back(0);
    for (const auto& schedule : schedules)
        for (const auto kind : {Slot::Kind::send, Slot::Kind::recv, Slot::Kind::temp})
            first_.push_back(first_.back() +
                             static_cast<std::size_t>(slots_of_kind(schedule, kind)));
}

int slots_of_kind(const Schedule& schedule, Slot::Kind kind) {
    switch (kind) {
        case Slot::Kind::send:
            return schedule.send_slots;
        case Slot::Kind::recv:
            return schedule.recv_slots;
        case Slot::Kind::temp:
            return schedule.temp_slots;
    }
    return 0;
}

}  // namespace carpool::schedule
