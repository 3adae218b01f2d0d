// SPDX-License-Identifier: MIT
#include "neighbor/halo/halo_exchange.hpp"

#include "agree/allreduce.hpp"
#include "choose/grid_load.hpp"
#include "halo/schedule.hpp"
#include "halo/transfers.hpp"
#include "mpi/types/extent.hpp"
#include "neighbor/halo/box_shape.hpp"

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

using halo::Cells;
using mpi::Error;

std::vector<std::int64_t> widened(const int* values, int count) { return {values, values + count}; }

/// For each dimension and coordinate, the largest and the negated smallest number of cells that a
/// rank there owns, as far as one rank knows. The maximum over all ranks gives both for all of
/// them.
std::vector<std::int64_t> own_extents(const topology::Grid& grid, int rank, const int* shape) {
    constexpr std::int64_t unknown = std::numeric_limits<int>::min();
    const auto here = grid.coordinates(rank);
    std::vector<std::int64_t> most_and_least;
    for (int k = 0; k < grid.dimensions(); ++k)
        for (int c = 0; c < grid.dim(k); ++c) {
            const bool mine = c == here[static_cast<std::size_t>(k)];
            most_and_least.push_back(mine ? shape[k] : -1);
            most_and_least.push_back(mine ? -shape[k] : unknown);
        }
    return most_and_least;
}

/// Throws the same error on all ranks if ranks with one coordinate own different numbers of cells
/// in its dimension.
std::vector<std::vector<Cells>> extents_of_all(const topology::Grid& grid,
                                               const std::vector<std::int64_t>& most_and_least) {
    std::vector<std::vector<Cells>> extents;
    auto next = most_and_least.begin();
    for (int k = 0; k < grid.dimensions(); ++k) {
        auto& along = extents.emplace_back();
        for (int c = 0; c < grid.dim(k); ++c) {
            const auto most = *next++;
            const auto least = -*next++;
            if (most != least)
                throw Error(MPI_ERR_DIMS, name_of_extent(k) + " is " + std::to_string(least) +
                                              " and " + std::to_string(most) +
                                              " on ranks at coordinate " + std::to_string(c) +
                                              " of that dimension, expected one size");
            along.push_back(most);
        }
    }
    return extents;
}

[[noreturn]] void refuse_rule(const routing::NamedRule& order, const std::string& why) {
    throw Error(MPI_ERR_INFO_VALUE, "carpool_algorithm in the info is '" + text_of(order) + "', " +
                                        why + ", expected direct, cartesian or auto");
}

}  // namespace

HaloExchange::HaloExchange(topology::Grid grid, int rank, const HaloArguments& arguments,
                           NeighborSettings settings, std::optional<Error> mistake)
    : grid_(std::move(grid)),
      rank_(rank),
      arguments_(arguments),
      settings_(std::move(settings)),
      mistake_(std::move(mistake)) {}

call::Statement HaloExchange::statement() const {
    if (mistake_) return {{}, mistake_, {}};
    const auto& a = arguments_;
    const int d = grid_.dimensions();
    return {{operation(),
             {"fields", {a.fields}},
             {"lower", widened(a.lower, d)},
             {"upper", widened(a.upper, d)},
             {"order", {a.order == MPI_ORDER_C ? 0 : 1}},
             {"size in bytes of element", {mpi::size_of(a.element)}},
             {"t", {a.t}},
             {"stencil", widened(a.stencil, a.t * d)},
             settings_.claim()},
            {},
            {}};
}

engine::Steps<void> HaloExchange::learnt(const mpi::CommState& state, int tag) {
    agree::Allreduce<std::int64_t> allreduce(state, own_extents(grid_, rank_, arguments_.shape),
                                             MPI_MAX, "reduce-bcast");
    allreduce.start(tag);
    co_await engine::until(allreduce);
    find_domain(allreduce.result());
}

/// @param most_and_least  as extents_of_all() reads it
void HaloExchange::find_domain(const std::vector<std::int64_t>& most_and_least) {
    const auto& a = arguments_;
    const int d = grid_.dimensions();
    auto extents = extents_of_all(grid_, most_and_least);
    try {
        const topology::Neighborhood stencil(d, {a.stencil, a.stencil + std::ptrdiff_t{a.t} * d});
        domain_.emplace(grid_, std::move(extents), widened(a.lower, d), widened(a.upper, d));
        halo::check_reach(*domain_, stencil);
        hops_ = halo::hops(*domain_, stencil);
    } catch (const std::invalid_argument& error) {
        throw Error(MPI_ERR_ARG, error.what());
    }
}

/// @param only  the only rule to use; null for all that `auto` tries
void HaloExchange::add_routes(const routing::Rule* only) {
    for (const auto* rule : routing::grid_rules()) {
        if (only != nullptr ? rule != only : !rule->automatic) continue;
        auto plan = rule->plan(grid_, *hops_, routing::Pattern::allgather);
        if (halo::carries_halo(plan, *hops_)) routes_.push_back({rule, std::move(plan)});
    }
}

/// A halo exchange uses the one plan of a rule. So limits are refused if an info sets them; a
/// preference with limits is ignored.
void HaloExchange::find_routes() {
    const routing::NamedRule order{settings_.rule, settings_.options.limits};
    const bool ordered = order.rule != nullptr;
    const bool limited = order.limits != routing::Limits{};
    if (ordered && limited) refuse_rule(order, "whose limits halo exchanges do not support");
    if (!limited) add_routes(ordered ? order.rule : settings_.preferred);
    if (routes_.empty() && !ordered) add_routes(nullptr);
    if (routes_.empty())
        refuse_rule(order, "whose routes need halo cells that some ranks do not have");
}

std::int64_t HaloExchange::bytes_per_cell() const {
    return mpi::size_of(arguments_.element) * arguments_.fields;
}

call::CandidateSet HaloExchange::candidate_set() {
    find_routes();
    call::CandidateSet result{
        .operation = operation(),
        .function = "halo",
        .machine = settings_.machine(),
        .policy = settings_.choice_policy(),
        .either_transport = settings_.either_transport() && settings_.rule == nullptr};
    for (const auto& routes : routes_)
        result.candidates.push_back({[this, &plan = routes.plan] {
            auto rounds = choose::rounds_of(plan);
            const auto cells = halo::most_cells_sent(plan, *domain_);
            for (std::size_t r = 0; r < rounds.size(); ++r)
                rounds[r].bytes = cells[r] * bytes_per_cell();
            return choose::load_of(plan, rounds, grid_, settings_.machine());
        }});
    return result;
}

call::ScheduleDraft HaloExchange::write(std::size_t candidate) {
    const auto transfers = halo::transfers_of(routes_[candidate].plan, *domain_, rank_);
    return {halo::schedule_of(transfers, rank_, bytes_per_cell())};
}

call::BindingParts HaloExchange::parts(std::size_t candidate, schedule::Schedule&,
                                       call::BoundCall& bound, std::optional<int> tag) const {
    const BoxShape shapes(arguments_, grid_.dimensions());
    engine::Buffers buffers;
    for (const auto& transfer : halo::transfers_of(routes_[candidate].plan, *domain_, rank_)) {
        buffers.send.push_back(shapes.block(transfer.send));
        buffers.recv.push_back(shapes.block(transfer.receive));
    }
    return {std::move(buffers), settings_.manner(bound.summary, tag)};
}

engine::Summary HaloExchange::summary(std::size_t candidate, const choose::Load&) const {
    const auto& [rule, plan] = routes_[candidate];
    return {std::string(rule->name), plan.phases(), plan.rounds(), 0, 0, 0};
}

}  // namespace carpool::neighbor
