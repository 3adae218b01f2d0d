// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/complaints.hpp"
#include "schedule/content.hpp"
#include "schedule/matching.hpp"
#include "schedule/slot_row.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace carpool::schedule {

/// Runs all messages and copies of all ranks on symbols of blocks, each as soon as the slots that
/// it reads are filled.
///
/// A length header stands for the block that it announces: it is forwarded and copied like one.
/// Where the block comes by a rendezvous message, it is the last to lie there.
///
/// A message also waits for earlier ones to the same rank, as MPI's order of matching demands. A
/// filled slot is passed to each of its readers once, so a run costs O(messages + copies + parts +
/// slots).
class Execution {
public:
    /// @pre all slots lie in range
    Execution(std::span<const Schedule> schedules, std::span<const MessageMatch> matches,
              SumOrder order);

    /// Complains of every action that reads a wrong size, never runs, or waits in a circle, and of
    /// length headers that announce another block than the one that comes.
    void run(Complaints& complaints);

    /// What lies in a slot after the run, if anything.
    const Content& found(int rank, Slot slot) const;

private:
    /// A message from one rank to another, or a copy, sum or await on one rank.
    struct Action {
        enum class Kind { move, add, allow };
        Kind kind;
        Where where;
        int to;
        std::span<const Part> reads;
        std::span<const Part> writes;
        bool follows_previous;    ///< must leave after the action before it
        bool rendezvous = false;  ///< a message of that kind
    };
    /// What a rendezvous message has brought to a rank.
    struct LongBlock {
        int rank;
        Slot slot;
        Content content;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    void list_messages(std::span<const MessageMatch> matches);
    void list_local(int rank, const Schedule& schedule);
    void add_local(Action::Kind kind, const Where& where, std::span<const Slot> from, Slot to,
                   std::int64_t bytes);
    void list_readers();
    void fill_send_slots(int rank);
    void fill(std::size_t slot, Content content);
    void bring(int rank, Slot slot, Content content);
    void satisfy(std::size_t action);
    void perform(std::size_t action, Complaints& complaints);
    const Content& held(int rank, Slot slot) const { return contents_[row_(rank, slot)]; }
    Content read(const Action& action, const Part& part, Complaints& complaints) const;
    const Part* first_absent(const Action& action) const;
    std::size_t blocker(std::size_t action) const;
    void complain_of_wrong_lengths(Complaints& complaints) const;
    void complain_of_stuck(Complaints& complaints) const;
    void complain_of_circles(Complaints& complaints) const;

    std::span<const Schedule> schedules_;
    SumOrder order_;
    SlotRow row_;
    std::vector<Content> contents_;                 // per slot, of a long block its length
    std::map<std::size_t, LongBlock> long_blocks_;  // by slot
    std::vector<Part> local_;  // what each copy, sum and await reads, then writes
    std::vector<Action> actions_;
    std::vector<std::size_t> writer_;        // per slot, an action or none
    std::vector<std::size_t> first_reader_;  // per slot, into readers_
    std::vector<std::size_t> readers_;       // actions
    std::vector<std::size_t> waits_for_;     // per action, missing slots and earlier messages
    std::vector<std::size_t> ready_;
};

}  // namespace carpool::schedule
