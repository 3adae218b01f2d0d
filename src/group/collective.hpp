#pragma once

#include "call/family.hpp"
#include "collectives/choice.hpp"
#include "group/arguments.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::group {

/// The ordinary collectives ([4]) as a family: candidates are the algorithms of a kind that solve
/// the problem.
class Collective final : public call::Family {
public:
    /// Reads the arguments; what is wrong with them is kept, to be agreed upon.
    Collective(const mpi::CommState& state, const Arguments& arguments, Settings settings,
               std::optional<mpi::Error> mistake);

    /// Arguments that have been read before.
    Collective(const mpi::CommState& state, Settings settings, std::shared_ptr<Call> read,
               std::int64_t number);

    /// For the same arguments to come.
    void sign(call::Signature signature) { signature_ = std::move(signature); }

    bool asks() const override { return !settings_.assert_matching; }
    call::Statement statement() const override;

    void agree(const std::vector<mpi::Claim>& claims, const mpi::Tally& tally,
               const call::Ticket& ticket) override;
    void take_own_word() override;
    bool same_plan(const call::BoundCall& earlier) const override;

    call::SmallCollective* lesson(const mpi::CommState& state) override;
    void learn() override { call_->problem.bytes = sizes_; }
    std::vector<choose::Candidate> candidates() override;
    choose::PastChoices::Key key() const override;
    choose::Machine machine() const override;
    bool measures() const override { return settings_.measure; }

    call::Written write(std::size_t candidate) override;
    schedule::SlotBytes own_sizes() const override;

    engine::Buffers buffers(std::size_t candidate, schedule::Schedule& schedule,
                            call::BoundCall& bound) const override;
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const override;
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    bool may_run_out(const choose::Load& load) const override;
    void keep(call::BoundCall& bound) const override { bound.call = call_; }
    call::Signature signature() const override { return signature_; }

private:
    void check_algorithm() const;
    mpi::Tally own_tally() const;

    int rank_;
    Settings settings_;
    std::shared_ptr<Call> call_;
    std::optional<mpi::Error> mistake_;
    std::int64_t earlier_ = -1;  ///< number of the call that was planned for the same arguments
    call::Signature signature_;

    mpi::Tally tally_;                ///< of all ranks
    collectives::Problem choosable_;  ///< the problem by which all ranks choose
    std::vector<const collectives::Algorithm*> algorithms_;  ///< the candidates
    std::vector<std::int64_t> sizes_;                        ///< by rank, where they must be learnt
    std::optional<call::SmallCollective> lesson_;
};

}  // namespace carpool::group
