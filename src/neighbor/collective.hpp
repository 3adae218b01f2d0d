// SPDX-License-Identifier: MIT
#pragma once

#include "agree/node_barrier.hpp"
#include "call/family.hpp"
#include "call/kept_calls.hpp"
#include "mpi/handle.hpp"
#include "neighbor/call.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/host_form.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/schedule_drafts.hpp"
#include "neighbor/topology/adopt.hpp"
#include "neighbor/topology/settings.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::neighbor {

/// What a kept call is filled with: the arguments of a call, read, and the sizes that all ranks
/// know.
struct NeighborFillArguments {
    std::shared_ptr<const Topology> topology = {};
    CheckedNeighborCall call = {};
    AgreedSizes agreed = {};
};

using KeptNeighborCalls = call::KeptCalls<NeighborFillArguments>;

/// The neighborhood collectives ([1], [2], [3]) as a family: candidates are the rules that route on
/// the grid or the graph of the communicator.
class NeighborCollective final : public call::Family {
public:
    /// The arguments of a call, or the error in them.
    struct CallInput {
        std::shared_ptr<Topology> topology;  ///< its state is open
        NeighborSettings settings;  ///< as far as they are known before the call is first in line
        schedule::Operation operation = schedule::Operation::alltoall;
        bool uniform = false;  ///< one count and one type on each side
        bool persistent = false;
        bool listed = false;  ///< the call lists its edges, and checks that the ends agree
        bool first = false;   ///< the first call with lists on the communicator: all ranks vote
        /// The barrier of the communicator, for a call with lists.
        std::shared_ptr<agree::NodeBarrier> barrier = {};
        /// The user's arguments, as long as they are valid: not of an init that returns at once.
        std::optional<NeighborArguments> arguments = {};
        std::optional<mpi::Error> mistake = {};
        std::shared_ptr<CheckedNeighborCall> call = {};  ///< null if there is a mistake
        std::shared_ptr<KeptNeighborCalls> kept =
            {};  ///< keeps the call for later ones, if not null
        call::CallForm form = {};
        std::shared_ptr<bool> voted = {};         ///< set to false if all ranks refuse a first call
        std::unique_ptr<Adoption> adoption = {};  ///< null if adopted already
        mpi::Info info = {};                      ///< the user's info, for the adoption
    };

    /// Takes its place in the line of calls (CommState::Place). @note Collective
    explicit NeighborCollective(CallInput given);

    /// Waits until the call is first in line, takes over what the original of a duplicate knew,
    /// and adopts the communicator.
    std::optional<engine::Steps<void>> opening(const call::CallContext& context) override;

    bool votes() const override {
        return given_.persistent || given_.first || given_.settings.check == arguments::Check::all;
    }
    call::Statement statement() const override;

    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;
    void proceed_without_vote(const call::Ticket& ticket) override;

    /// At the first call of its kind on a communicator, all ranks plan together, once they know
    /// that all of them make the same call. An init has voted on that before; a blocking or
    /// nonblocking call does so here.
    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override;

    call::CandidateSet candidate_set() override;
    bool has_host_form() const override {
        const auto& buffers = given_.call->buffers;
        const bool on_device = mpi::device_of(buffers.send) || mpi::device_of(buffers.recv);
        return given_.settings.choice_policy() != arguments::ChoicePolicy::model &&
               given_.arguments && !on_device && given_.settings.rule == nullptr &&
               neighbor::has_host_form(*given_.topology, *given_.arguments);
    }
    std::unique_ptr<engine::Communication> at_host(MPI_Comm comm, call::HostUse use) const override;

    call::ScheduleDraft write(std::size_t candidate) override;

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    std::unique_ptr<engine::Communication> communication(std::size_t candidate,
                                                         const call::BoundCall& bound,
                                                         const call::CallContext& context,
                                                         const Exchange& exchange) override;
    std::optional<mpi::CallCode> code(std::size_t candidate) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    mpi::Claim operation() const;
    std::string function() const;
    choose::Machine machine() const { return given_.settings.machine(); }
    bool confirms() const { return given_.listed && !votes(); }
    KnownSizes sizes() const {
        return {*given_.topology, given_.operation, given_.uniform, given_.call.get()};
    }
    std::span<const std::int64_t> sizes_to_plan_by() const;
    void find_candidates();
    void find_bytes_to_choose_by();
    std::vector<int> sources() const;
    void take(NeighborSettings settings);
    std::vector<mpi::Claim> claims() const;
    mpi::Tally own_tally() const;
    ScheduleDrafts drafts() const;
    engine::Buffers buffers(schedule::Schedule& schedule, call::BoundCall& bound) const;
    bool has_length_headers() const;
    choose::Load load_of(const RuleCandidate& candidate) const;
    void apply(NeighborSettings& settings, double ranks_per_core) const;
    NeighborSettings settings_to_plan_by() const;
    engine::Steps<void> opened(const call::CallContext& context);
    bool is_settled() const;
    engine::Steps<void> planned(const call::CallContext& context);
    engine::Steps<void> agreed_to_plan(const call::CallContext& context) const;
    engine::Steps<UnsizedRoute> unsized_route(int tag) const;

    CallInput given_;
    std::unique_ptr<mpi::CommState::Place> place_;  ///< held until all is planned
    bool differs_ = false;                          ///< the two ends of some edge disagree
    std::int64_t held_ = 0;                         ///< Tally::held, on the busiest rank
    AgreedSizes agreed_;
    const UnsizedRoute* unsized_route_ = nullptr;  ///< null if the call uses none
    bool pairs_know_ = false;  ///< only pairs of ranks know sizes, so there is one candidate
    std::vector<RuleCandidate> candidates_;
    std::vector<std::int64_t> bytes_to_choose_by_;  ///< per block, as agreed
};

}  // namespace carpool::neighbor
