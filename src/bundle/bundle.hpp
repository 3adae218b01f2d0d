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

/// A request that is to be bundled, planned and bound.
using Member = std::shared_ptr<const call::BoundCall>;

/// Several persistent requests started as one ([2] §3.4, §5), as a family: there is one way to do
/// it, their schedules merged.
class Bundle final : public call::Family {
public:
    /// @param n        how many members the user has said there are
    /// @param members  with schedules, on the ranks of this communicator; none if there is a
    /// mistake
    Bundle(int n, int rank, std::vector<Member> members, arguments::Tuning tuning,
           std::optional<mpi::Error> mistake);

    bool asks() const override { return true; }
    mpi::Claim operation() const override {
        return arguments::operation_claim(arguments::Other::bundle);
    }
    call::Statement statement() const override;
    void agree(const std::vector<mpi::Claim>& claims, const mpi::Tally& tally,
               const call::Ticket& ticket) override;
    void take_own_word(const call::Ticket&) override {}

    call::Choosable choosable() override;
    choose::Machine machine() const override { return tuning_.machine(); }
    call::Written write(std::size_t) override { return {schedule_}; }

    engine::Buffers buffers(std::size_t candidate, schedule::Schedule& schedule,
                            call::BoundCall& bound) const override;
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const override {
        return tuning_.manner(summary, tag);
    }
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    bool may_run_out(const choose::Load&) const override { return held_ > call::little_memory; }
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    int n_;
    int rank_;
    std::vector<Member> members_;
    arguments::Tuning tuning_;
    std::optional<mpi::Error> mistake_;
    std::int64_t longest_;         ///< that shares a ride
    schedule::Schedule schedule_;  ///< of all members
    std::int64_t held_ = 0;        ///< bytes in messages and on their way on the busiest rank
};

}  // namespace carpool::bundle
