// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace carpool::schedule {

/// Numbers the slots of several ranks in one row: rank by rank its send, receive, temporary slots.
class SlotRow {
public:
    explicit SlotRow(std::span<const Schedule> schedules);

    std::size_t size() const { return first_.back(); }

    /// @pre the slot lies in the range that the rank's schedule declares
    std::size_t operator()(int rank, Slot slot) const {
        const auto kind = 3 * static_cast<std::size_t>(rank) + static_cast<std::size_t>(slot.kind);
        return first_[kind] + static_cast<std::size_t>(slot.position);
    }

private:
    std::vector<std::size_t> first_;  // per rank and kind
};

/// The number of slots of a kind.
int slots_of_kind(const Schedule& schedule, Slot::Kind kind);

}  // namespace carpool::schedule
