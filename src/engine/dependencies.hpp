#pragma once

#include "schedule/schedule.hpp"
#include "schedule/slot_row.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace carpool::engine {

/// Something that a rank does when what it needs is there: a send, or work of its own.
struct Task {
    int waits_for = 0;         ///< receives and tasks
    std::vector<int> unlocks;  ///< tasks that wait for this one
};

/// The end of a receive.
struct Arrival {
    std::vector<int> unlocks;     ///< tasks that wait for it
    bool unpacked_first = false;  ///< do they read the user's memory instead of the message?
};

/// What waits for what on one rank: follows from which slots are written and read, whatever the
/// phases.
///
/// Tasks are numbered: sends in the order of their rounds, then copies and sums whose slot
/// something reads. Other copies and sums are no tasks, they can wait for the end.
class Dependencies {
public:
    explicit Dependencies(const schedule::Schedule& schedule);

    bool has_readers(schedule::Slot slot) const { return has_readers_[row_(0, slot)]; }
    bool received(schedule::Slot slot) const;
    bool ready_at_start(schedule::Slot slot) const;

    std::vector<Task> tasks;
    std::vector<Arrival> arrivals;  ///< receives in the order of their rounds

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
    void wait(int task, schedule::Slot slot, bool reads_memory);
    void link(std::vector<int>& unlocks, int task);

    const schedule::Schedule& schedule_;
    schedule::SlotRow row_;
    std::vector<bool> has_readers_;                // per slot
    std::vector<std::optional<Writer>> writer_;    // per slot
    std::unordered_map<int, std::size_t> awaits_;  // per send slot
};

}  // namespace carpool::engine
