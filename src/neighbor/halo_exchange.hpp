#pragma once

#include "arguments/operation_claim.hpp"
#include "call/family.hpp"
#include "halo/domain.hpp"
#include "neighbor/halo_arguments.hpp"
#include "neighbor/settings.hpp"
#include "routing/plan.hpp"
#include "routing/rule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// Halo exchanges as a family: candidates are the rules of grids whose routes carry a halo.
class HaloExchange final : public call::Family {
public:
    /// @param arguments  checked, unless there is a mistake; the user's arrays are needed until it
    ///                   has been bound
    HaloExchange(topology::Grid grid, int rank, const HaloArguments& arguments, Settings settings,
                 std::optional<mpi::Error> mistake);

    bool asks() const override { return true; }
    mpi::Claim operation() const override {
        return arguments::operation_claim(arguments::Other::halo_exchange);
    }
    call::Statement statement() const override;
    void agree(const std::vector<mpi::Claim>&, const mpi::Tally&,
               const call::Ticket& ticket) override {
        settings_.heed(*ticket.state);
    }
    void take_own_word(const call::Ticket&) override {}

    /// How many cells the others own.
    agree::SmallCollective* lesson(const mpi::CommState& state) override;
    void learn() override;

    call::Choosable choosable() override;
    choose::Machine machine() const override { return settings_.machine(); }

    call::Written write(std::size_t candidate) override;
    engine::Buffers buffers(std::size_t candidate, schedule::Schedule& schedule,
                            call::BoundCall& bound) const override;
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const override {
        return settings_.manner(summary, tag);
    }
    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    bool may_run_out(const choose::Load& load) const override {
        return load.bytes() > call::little_memory;
    }

private:
    /// A rule, and its routes for this halo.
    struct Routes {
        const routing::Rule* rule;
        routing::Plan plan;
    };

    std::int64_t bytes_per_cell() const;
    void add_routes(const routing::Rule* only);
    void find_routes();

    topology::Grid grid_;
    int rank_;
    HaloArguments arguments_;
    Settings settings_;
    std::optional<mpi::Error> mistake_;

    std::vector<std::int64_t> own_extents_;  ///< as extents_of_all() reads them
    std::vector<std::int64_t> extents_;
    std::optional<agree::SmallCollective> lesson_;

    std::optional<halo::Domain> domain_;
    std::optional<topology::Neighborhood> hops_;
    std::vector<Routes> routes_;  ///< of the candidates
};

}  // namespace carpool::neighbor
