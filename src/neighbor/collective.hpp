#pragma once

#include "agree/node_barrier.hpp"
#include "call/family.hpp"
#include "call/recent.hpp"
#include "mpi/handle.hpp"
#include "neighbor/adopt.hpp"
#include "neighbor/call.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/host_form.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "neighbor/writing.hpp"
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

/// The neighborhood collectives ([1], [2], [3]) as a family: candidates are the rules that route on
/// the grid or the graph of the communicator.
class NeighborCollective final : public call::Family {
public:
    /// What was given, or what is wrong with it.
    struct Given {
        std::shared_ptr<Topology> topology;  ///< with a state
        NeighborSettings settings;           ///< as far as they are known before its turn
        schedule::Operation operation = schedule::Operation::alltoall;
        bool uniform = false;  ///< one count and one type on each side
        bool persistent = false;
        bool listed = false;  ///< edges are those of the call, which finds out if they match
        bool first = false;   ///< of these on the communicator: asks for what the others take
        std::shared_ptr<agree::NodeBarrier> barrier =
            {};  ///< of the communicator; for what is listed
        std::optional<NeighborArguments> arguments = {};  ///< of an init: the user's arrays
        std::optional<mpi::Error> mistake = {};
        std::shared_ptr<CheckedNeighborCall> call = {};  ///< unless there is a mistake
        std::shared_ptr<call::Recent> recent = {};       ///< where the call is kept for the same
        arguments::StoredKey key = {};                   ///< arguments to come, unless it is empty
        call::RecentFamily family = call::RecentFamily::neighborhoods;  ///< among which calls
        std::unique_ptr<Adoption> adoption = {};  ///< where that is still to come
        mpi::Info info = {};                      ///< of the user's, kept for that
    };

    /// Takes its place in the line of calls. @note Collective
    explicit NeighborCollective(Given given);

    /// When its turn comes: takes over what the original of a duplicate knew, and adopts.
    std::optional<engine::Steps<void>> opening(const call::CallContext& context) override;

    bool asks() const override {
        return given_.persistent || given_.first || given_.settings.check == arguments::Check::all;
    }
    call::Statement statement() const override;

    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;
    void take_own_word(const call::Ticket& ticket) override;

    /// At the first call of its kind on a communicator all ranks plan together, once they know that
    /// all have come for the same. An init has agreed by then, other calls do so now.
    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override;

    call::Choosable choosable() override;
    bool has_host_form() const override {
        return given_.settings.chosen_by() != arguments::ChosenBy::model && given_.arguments &&
               given_.settings.rule == nullptr &&
               neighbor::has_host_form(*given_.topology, *given_.arguments);
    }
    std::unique_ptr<engine::Communication> at_host(MPI_Comm comm, call::HostUse use) const override;

    call::Written write(std::size_t candidate) override;

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    std::unique_ptr<engine::Communication> communication(std::size_t candidate,
                                                         const call::CallContext& context,
                                                         const Exchange& exchange) override;
    std::optional<mpi::CallCode> code(std::size_t candidate) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    mpi::Claim operation() const;
    choose::Machine machine() const { return given_.settings.machine(); }
    bool confirms() const { return given_.listed && !asks(); }
    KnownSizes sizes() const {
        return {*given_.topology, given_.operation, given_.uniform, given_.call.get()};
    }
    std::span<const std::int64_t> sizes_to_plan_by() const;
    void find_candidates();
    void find_bytes_to_choose_by();
    std::vector<int> sources() const;
    std::optional<std::uint64_t> known_to_all() const;
    bool host_call_fits() const;
    void take(NeighborSettings settings);
    std::vector<mpi::Claim> claims() const;
    mpi::Tally own_tally() const;
    Writing writing() const;
    engine::Buffers buffers(schedule::Schedule& schedule, call::BoundCall& bound) const;
    bool has_length_headers() const;
    choose::Load load_of(const RuleCandidate& candidate) const;
    void apply(NeighborSettings& settings, double ranks_per_core) const;
    NeighborSettings settings_to_plan_by() const;
    engine::Steps<void> opened(const call::CallContext& context);
    bool is_settled() const;
    engine::Steps<void> planned(const call::CallContext& context);
    engine::Steps<void> agreed_to_plan(const call::CallContext& context) const;
    bool plans_for_grids() const;

    Given given_;
    std::unique_ptr<mpi::CommState::Place> place_;  ///< until all is planned
    bool differs_ = false;                          ///< the ends of an edge do
    std::int64_t held_ = 0;                         ///< as in the tally, on the busiest rank
    Agreed agreed_;
    const UnsizedRoute* unsized_route_ = nullptr;  ///< if it goes by one
    bool pairs_know_ = false;  ///< sizes, nobody else does, so there is one candidate
    std::vector<RuleCandidate> candidates_;
    std::vector<std::int64_t> bytes_to_choose_by_;  ///< per block, as agreed upon
};

}  // namespace carpool::neighbor
