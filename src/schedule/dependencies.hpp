// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"
#include "schedule/slot_row.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace carpool::schedule {

/// Something that a rank does once its inputs are there: a send, or local work.
struct Task {
    int waits_for = 0;         ///< how many receives and tasks it waits for
    std::vector<int> unlocks;  ///< tasks that wait for this one
};

/// The end of a receive.
struct Arrival {
    std::vector<int> unlocks;     ///< tasks that wait for it
    bool unpacked_first = false;  ///< these tasks read the user's memory, not the message
};

/// What waits for what on one rank. This follows from which slots are written and read, whatever
/// the phases.
///
/// Tasks are numbered: sends in the order of their rounds, then copies and sums whose slot
/// something reads. Other copies and sums are not tasks; they can wait for the end.
class Dependencies {
public:
    explicit Dependencies(const Schedule& schedule);

    bool has_readers(Slot slot) const { return has_readers_[row_(0, slot)]; }
    bool received(Slot slot) const;
    bool ready_at_start(Slot slot) const;

    std::vector<Task> tasks;
    std::vector<Arrival> arrivals;  ///< per receive, in the order of their rounds

private:
    struct Writer {
        enum class Kind { receive, task };
        Kind kind;
        int number;
    };

    void find_readers();
    void number_writers();
    void link_sends();
    void link_works();
    void wait(int task, Slot slot, bool reads_memory);
    void link(std::vector<int>& unlocks, int task);

    const Schedule& schedule_;
    SlotRow row_;
    std::vector<bool> has_readers_;                // per slot
    std::vector<std::optional<Writer>> writer_;    // per slot
    std::unordered_map<int, std::size_t> awaits_;  // per send slot that is awaited, its await
};

}  // namespace carpool::schedule
