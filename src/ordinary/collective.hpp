// SPDX-License-Identifier: MIT
#pragma once

#include "call/family.hpp"
#include "call/kept_calls.hpp"
#include "collectives/choice.hpp"
#include "ordinary/arguments.hpp"
#include "ordinary/call.hpp"
#include "ordinary/comm_settings.hpp"
#include "ordinary/settings.hpp"
#include "ordinary/unsized_algorithm.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::ordinary {

/// What a kept call is filled with: the arguments of a call, read, and the settings of its kind.
struct CollectiveFillArguments {
    CheckedCollective call = {};
    const CollectiveSettings* settings = nullptr;  ///< null before the first
};

using KeptCollectives = call::KeptCalls<CollectiveFillArguments>;

/// The ordinary collectives ([4]) as a family: candidates are the algorithms of a kind of
/// collective that solve the problem.
class OrdinaryCollective final : public call::Family {
public:
    /// Reads the arguments; a mistake in them is kept, to be voted on.
    OrdinaryCollective(const mpi::CommState& state, const CollectiveArguments& arguments,
                       CollectiveSettings settings, std::optional<mpi::Error> mistake);

    /// Makes this a blocking or nonblocking call, which uses the settings of its communicator.
    /// @param first  true for the first such call, in which all ranks agree on the settings
    void apply(std::shared_ptr<CommSettings> comm_settings, bool first);

    /// Takes the call's place in the order of calls on the communicator, which is the same on all
    /// ranks: it may be the one that finds something out for later ones. Nothing may fail between
    /// this and the call. @pre apply()
    void take_place();

    /// Keeps the call among these, to be filled with the arguments of later ones.
    void keep_among(std::shared_ptr<KeptCollectives> kept, const call::CallForm& form) {
        kept_ = std::move(kept);
        form_ = form;
    }

    /// What has been read, so that the next call need not read datatypes again.
    /// @pre there is no mistake
    CollectiveFillArguments fill_arguments() const {
        CollectiveFillArguments read;
        read.call.types = call_->types;
        read.call.blocks = call_->blocks;
        return read;
    }

    /// Has this rank found a mistake in the arguments?
    bool has_mistake() const { return mistake_.has_value(); }

    /// Throws the mistake that this rank has found, if there is one.
    void throw_mistake() const {
        if (mistake_) throw mpi::Error(*mistake_);
    }

    bool votes() const override {
        return comm_settings_ == nullptr || first_ || settings_.check == arguments::Check::all;
    }
    call::Statement statement() const override;

    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;
    void proceed_without_vote(const call::Ticket& ticket) override;
    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override;

    call::CandidateSet candidate_set() override;
    bool has_host_form() const override;
    std::unique_ptr<engine::Communication> at_host(MPI_Comm comm, call::HostUse use) const override;

    call::ScheduleDraft write(std::size_t candidate) override;

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    std::optional<mpi::CallCode> code(std::size_t candidate) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    engine::Steps<void> told_sizes(const mpi::CommState& state, int tag);
    engine::Steps<void> awaited(const call::CallContext& context);
    engine::Steps<void> mean_block_found(const call::CallContext& context);
    bool waits_for_unsized() const;
    std::vector<std::int64_t> sizes_sent() const;
    choose::Machine machine() const;
    void check_algorithm() const;
    void apply_state(const mpi::CommState& state);
    mpi::Tally own_tally() const;
    void conclude(const mpi::Tally& tally);
    std::int64_t longest_combined() const;
    std::string function() const;
    choose::PastChoices::Key key() const;
    std::vector<choose::Candidate> candidates();
    double ranks_per_core() const;
    const UnsizedAlgorithm& unsized_algorithm() const;
    const UnsizedAlgorithm* passing_on() const;

    int rank_;
    CollectiveArguments arguments_;  ///< the user's arrays are valid until the user's call returns
    CollectiveSettings settings_;
    std::shared_ptr<CheckedCollective> call_;
    std::optional<mpi::Error> mistake_;
    std::shared_ptr<CommSettings>
        comm_settings_;        ///< the comm settings of a blocking or nonblocking call; else null
    bool first_ = false;       ///< it votes on them
    bool pairs_know_ = false;  ///< each size is known only to the two ranks of its message
    bool finds_mean_ = false;  ///< the first such call of its kind on the communicator
    std::shared_ptr<KeptCollectives> kept_;  ///< keeps the call, unless null
    call::CallForm form_ = {};

    mpi::Tally tally_;                                       ///< the tally of all ranks
    collectives::Problem rounded_;                           ///< by which all ranks choose
    std::vector<const collectives::Algorithm*> algorithms_;  ///< the candidates
    const UnsizedAlgorithm* unsized_ = nullptr;  ///< the only candidate, if only pairs know sizes
};

}  // namespace carpool::ordinary
