// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/operation_claim.hpp"
#include "arguments/tuning.hpp"
#include "call/family.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::bundle {

/// A request to be bundled; it is planned and bound.
using Member = std::shared_ptr<const call::BoundCall>;

/// Several persistent requests that are started as one ([2] §3.4, §5), as a family with one
/// candidate: their merged schedules.
class Bundle final : public call::Family {
public:
    /// @param n        the number of members that the user has given
    /// @param members  with schedules, on the ranks of this communicator; none if there is a
    ///                 mistake
    Bundle(int n, int rank, std::vector<Member> members, arguments::Tuning tuning,
           std::optional<mpi::Error> mistake);

    bool votes() const override { return true; }
    call::Statement statement() const override;
    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;

    call::CandidateSet candidate_set() override;
    call::ScheduleDraft write(std::size_t) override { return {schedule_}; }

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    mpi::Claim operation() const { return arguments::operation_claim(arguments::Other::bundle); }
    engine::Buffers buffers() const;

    int n_;
    int rank_;
    std::vector<Member> members_;
    arguments::Tuning tuning_;
    std::optional<mpi::Error> mistake_;
    std::int64_t longest_;         ///< the longest block that shares messages with others
    schedule::Schedule schedule_;  ///< merged from those of all members
    std::int64_t held_ = 0;        ///< bytes in messages or temporary slots of the busiest rank
};

}  // namespace carpool::bundle
