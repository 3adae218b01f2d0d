// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/operation_claim.hpp"
#include "call/family.hpp"
#include "halo/domain.hpp"
#include "neighbor/halo/halo_arguments.hpp"
#include "neighbor/topology/settings.hpp"
#include "routing/plan.hpp"
#include "routing/rule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// Halo exchanges as a family: candidates are the rules of grids whose routes can carry a halo.
class HaloExchange final : public call::Family {
public:
    /// @param arguments  checked, unless there is a mistake; the user's arrays are needed until the
    /// exchange is bound
    HaloExchange(topology::Grid grid, int rank, const HaloArguments& arguments,
                 NeighborSettings settings, std::optional<mpi::Error> mistake);

    bool votes() const override { return true; }
    call::Statement statement() const override;
    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override {
        vote.throw_if_refused();
        settings_.apply(*ticket.state);
    }

    /// All ranks find out how many cells the other ranks own.
    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override {
        return learnt(*context.ticket.state, context.ticket.tag);
    }

    call::CandidateSet candidate_set() override;

    call::ScheduleDraft write(std::size_t candidate) override;
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;

private:
    /// A rule and its routes for this halo.
    struct HaloPlan {
        const routing::Rule* rule;
        routing::Plan plan;
    };

    mpi::Claim operation() const {
        return arguments::operation_claim(arguments::Other::halo_exchange);
    }
    engine::Steps<void> learnt(const mpi::CommState& state, int tag);
    void find_domain(const std::vector<std::int64_t>& most_and_least);
    std::int64_t bytes_per_cell() const;
    void add_routes(const routing::Rule* only);
    void find_routes();

    topology::Grid grid_;
    int rank_;
    HaloArguments arguments_;
    NeighborSettings settings_;
    std::optional<mpi::Error> mistake_;

    std::optional<halo::Domain> domain_;
    std::optional<topology::Neighborhood> hops_;
    std::vector<HaloPlan> routes_;  ///< one per candidate
};

}  // namespace carpool::neighbor
