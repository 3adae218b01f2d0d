// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace carpool::schedule {

/// The schedules of many ranks, as far as some of these ranks depend on them: for verify(), where
/// there are too many ranks to run all.
///
/// Of a sampled rank all messages are there, at both ends. Of the other ranks there is what must
/// have happened before: each message with all its blocks, since it leaves only when they are
/// there, and whatever these blocks depend on. So what verify() finds about a sampled rank is what
/// it would find if all ranks ran; about other ranks it finds less.
class SampledRanks {
public:
    using ScheduleOf = std::function<Schedule(int rank)>;
    using ExpectedAt = std::function<std::vector<Content>(int rank)>;

    SampledRanks(int ranks, ScheduleOf schedule_of)
        : ranks_(ranks), schedule_of_(std::move(schedule_of)) {}

    /// Adds a sampled rank, and all that it depends on.
    void add(int rank);

    /// The number of ranks with anything in their schedules.
    std::size_t involved() const { return known_.size(); }

    /// The schedules of all ranks; empty for ranks on which no sampled rank depends.
    std::vector<Schedule> schedules() const;

    /// What must arrive in these schedules. @param expected_at  what must arrive on a rank if all
    /// ranks run
    Postcondition expected(const ExpectedAt& expected_at) const;

private:
    struct Writer {
        enum class Kind { receive, copy, sum };
        Kind kind;
        std::size_t number;  ///< which round, copy or sum
    };
    using Place = std::pair<Slot::Kind, int>;

    /// The whole schedule of a rank, and which of it is needed.
    struct Known {
        Schedule schedule;
        std::multimap<Place, Writer> writers;
        std::set<std::size_t> sends = {};  ///< by round
        std::set<std::size_t> receives = {};
        std::set<std::size_t> copies = {};
        std::set<std::size_t> sums = {};
    };

    static std::multimap<Place, Writer> writers_of(const Schedule& schedule);
    static Schedule needed_of(const Known& known);
    Known& known(int rank);
    bool exists(int rank) const { return rank >= 0 && rank < ranks_; }
    void need(int rank, const Slot& slot);
    void trace_all();
    void trace(int rank, const Place& place);
    void keep_send(int rank, std::size_t round);
    void keep_receive(int rank, std::size_t round);
    void keep_all(int from, int to);

    int ranks_;
    ScheduleOf schedule_of_;
    std::set<int> samples_;
    std::map<int, Known> known_;
    std::set<std::pair<int, Place>> needed_;
    std::vector<std::pair<int, Place>> to_trace_;
};

}  // namespace carpool::schedule
