// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "call/family.hpp"
#include "call/size_learning.hpp"
#include "choose/cheapest.hpp"
#include "mpi/comm/comm_state.hpp"
#include "schedule/schedule.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::call {

/// A candidate with its schedule on this rank.
struct CandidateSchedule {
    choose::Contender contender;
    schedule::Schedule schedule;
};

/// Lets a family write the schedules of some candidates. If sizes of forwarded blocks are not
/// known, they are learnt for one candidate after the other.
class ScheduleWriter {
public:
    /// @param tag  in use only until the end
    /// @pre family and state outlive this object
    ScheduleWriter(std::vector<choose::Contender> contenders, Family& family,
                   const mpi::CommState& state, int tag)
        : contenders_(std::move(contenders)), family_(family), state_(state), tag_(tag) {}

    /// Takes one step without waiting; returns true at the end.
    bool test();

    void withdraw() {
        if (learning_) learning_->withdraw();
    }
    void visit_awaited(const base::RankVisitor& visit) const {
        if (learning_) learning_->visit_awaited(visit);
    }

    /// One for each candidate, in their order. @pre test() has returned true
    std::vector<CandidateSchedule> take() { return std::move(schedules_); }

private:
    void write();

    std::vector<choose::Contender> contenders_;
    Family& family_;
    const mpi::CommState& state_;
    int tag_;
    std::vector<CandidateSchedule> schedules_;
    std::optional<SizeLearning> learning_;  ///< for the next candidate
};

}  // namespace carpool::call
