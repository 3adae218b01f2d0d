// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/ghost_creation.hpp"

#include "agree/supersteps.hpp"
#include "arguments/operation_claim.hpp"
#include "call/family.hpp"
#include "call/pipeline.hpp"
#include "engine/opened_state.hpp"
#include "ghosts/pairs.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "neighbor/ghosts/given_ghosts.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace carpool::neighbor {
namespace {

using mpi::Error;

/// The creation of a map as a call: all is done while ranks plan, and no exchange follows. So it
/// has one candidate, which sends nothing, and a report does not count it.
class GhostCreation final : public call::Family {
public:
    /// @param made  receives the map and its routes
    GhostCreation(std::shared_ptr<RoutedMap> made, GivenGhosts given, std::optional<Error> mistake)
        : made_(std::move(made)),
          given_(std::move(given)),
          mistake_(std::move(mistake)),
          place_(std::make_unique<mpi::CommState::Place>(made_->state)) {}

    bool votes() const override { return true; }

    call::Statement statement() const override {
        mpi::Tally tally;
        tally.oversubscription.add(mpi::oversubscription());
        if (mistake_) return {{}, mistake_, tally};
        std::vector<mpi::Claim> claims{operation()};
        for (auto& claim : made_->settings.claims()) claims.push_back(std::move(claim));
        claims.push_back({"ranges", given_.ranges});
        return {std::move(claims), {}, tally};
    }

    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override {
        vote.throw_if_refused();
        made_->ranks_per_core = mpi::ranks_per_core(vote.tally.oversubscription.most);
        made_->number = ticket.number;
    }

    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override {
        return planned(context);
    }

    call::CandidateSet candidate_set() override {
        return {.operation = operation(),
                .candidates = {{[] { return choose::Load{}; }}},
                .machine = made_->settings.neighbor.machine(),
                .reported = false};
    }

    engine::Summary summary(std::size_t, const choose::Load&) const override {
        return {"supersteps"};
    }

private:
    mpi::Claim operation() const {
        return arguments::operation_claim(arguments::Other::ghosts_create);
    }

    engine::Steps<void> planned(const call::CallContext& context) {
        co_await engine::until(*place_);
        const int tag = context.ticket.tag;
        const ghosts::GhostList ghosts{given_.owners, given_.indices};
        auto program = ghosts::find_map(given_.owned, ghosts);
        auto result = co_await agree::run(std::move(program), *made_->state, tag);
        co_await agreed_on(result, context);
        made_->part = std::move(std::get<ghosts::GhostMap>(result));
        made_->pairs = ghosts::by_pairs(made_->part, made_->state->rank(), ghosts);
        const RuleInUse direct{&routing::direct};
        co_await plan(direct, made_->part, tag);
        co_await plan(direct, made_->pairs, tag);
        const auto rules = further_rules(applied_settings(), made_->state->nodes().get(),
                                         made_->rules.front().route.load);
        for (const auto& use : rules) co_await plan(use, made_->part, tag);
        place_.reset();
    }

    /// @param use, part  live until the steps have ended
    engine::Steps<void> plan(const RuleInUse& use, const ghosts::GhostMap& part, int tag) {
        const RoutedGraph graph{*made_->state, part.edges, &part.entries};
        auto route = co_await planned_route(use, graph, routing::Pattern::multicast, tag);
        made_->rules.push_back({use, &part, std::move(route)});
    }

    NeighborSettings applied_settings() const {
        auto settings = made_->settings.neighbor;
        settings.apply(*made_->state);
        settings.apply_shared_cores(made_->ranks_per_core);
        return settings;
    }

    /// All ranks find out whether every ghost exists.
    engine::Steps<void> agreed_on(const std::variant<ghosts::GhostMap, ghosts::NoSuchEntry>& result,
                                  const call::CallContext& context) const {
        std::optional<Error> mistake;
        if (const auto* missing = std::get_if<ghosts::NoSuchEntry>(&result))
            mistake = error_of(*missing);
        mpi::Agreement agreement(context.ticket.comm, {}, mistake, {}, 0, context.vote());
        co_await engine::until(agreement);
        agreement.conclude();
    }

    Error error_of(const ghosts::NoSuchEntry& missing) const {
        const auto ghost = static_cast<std::size_t>(missing.ghost);
        const int owner = given_.owners[ghost];
        return {MPI_ERR_ARG, mpi::element("indices", missing.ghost) + " is " +
                                 std::to_string(given_.indices[ghost]) + ", expected less than " +
                                 std::to_string(missing.owned) +
                                 ", the number of entries that rank " + std::to_string(owner) +
                                 " owns"};
    }

    std::shared_ptr<RoutedMap> made_;
    GivenGhosts given_;
    std::optional<Error> mistake_;
    std::unique_ptr<mpi::CommState::Place> place_;  ///< held until all is planned
};

/// @param read  returns what this rank gives
template <typename Read>
std::shared_ptr<RoutedMap> created_of(MPI_Comm comm, MPI_Info info, const Read& read) {
    auto state = engine::opened_state(comm);
    auto made = std::make_shared<RoutedMap>(comm, state);
    GivenGhosts given;
    auto mistake = mpi::mistake_in([&] {
        made->settings = GhostSettings::from_environment().with(info);
        check_rule_for_ghosts(made->settings.neighbor, state->size());
        given = read(*state);
        made->entry_count = given.owned;
        made->ghost_count = std::ssize(given.owners);
    });
    auto creation = std::make_unique<GhostCreation>(made, std::move(given), std::move(mistake));
    call::wait_for(*call::once(comm, std::move(state), std::move(creation)));
    return made;
}

}  // namespace

std::shared_ptr<RoutedMap> created(MPI_Comm comm, const GhostsByOwner& arguments, MPI_Info info) {
    return created_of(comm, info, [&](const mpi::CommState& state) {
        return read_ghosts(arguments, state.size());
    });
}

std::shared_ptr<RoutedMap> created(MPI_Comm comm, const GhostsByNumber& arguments, MPI_Info info) {
    return created_of(comm, info, [&](const mpi::CommState& state) {
        return read_ghosts(arguments, state.rank(), state.size());
    });
}

}  // namespace carpool::neighbor
