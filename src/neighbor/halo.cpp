#include "neighbor/halo.hpp"

#include "call/peers.hpp"
#include "call/side.hpp"
#include "engine/opened_state.hpp"
#include "halo/domain.hpp"
#include "halo/schedule.hpp"
#include "halo/transfers.hpp"
#include "mpi/attribute.hpp"
#include "mpi/extent.hpp"
#include "neighbor/box_shape.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/create.hpp"
#include "neighbor/prepared.hpp"
#include "neighbor/request.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using halo::Cells;
using mpi::check;
using mpi::Error;

void check_array(const char* name, const void* array, int length) {
    if (array == nullptr && length > 0)
        throw Error(MPI_ERR_ARG, std::string(name) + " is a null pointer, expected an array of " +
                                     std::to_string(length));
}

void check_at_least_zero(const std::string& name, int value, int error_class) {
    if (value < 0)
        throw Error(error_class, name + " is " + std::to_string(value) + ", expected at least 0");
}

/// Widths below zero too: a shape must make sense before it is made a datatype.
void check_shape(const HaloArguments& a, int d) {
    for (int k = 0; k < d; ++k) {
        check_at_least_zero(mpi::element("shape", k), a.shape[k], MPI_ERR_DIMS);
        check_at_least_zero(mpi::element("lower", k), a.lower[k], MPI_ERR_ARG);
        check_at_least_zero(mpi::element("upper", k), a.upper[k], MPI_ERR_ARG);
        const auto whole = std::int64_t{a.shape[k]} + a.lower[k] + a.upper[k];
        if (whole > std::numeric_limits<int>::max())
            throw Error(MPI_ERR_DIMS, mpi::element("shape", k) + " and its halo are " +
                                          std::to_string(whole) + " cells, expected an int");
    }
}

void check_arguments(const HaloArguments& a, int d, MPI_Comm comm) {
    check_at_least_zero("fields", a.fields, MPI_ERR_ARG);
    check_at_least_zero("t", a.t, MPI_ERR_ARG);
    check_array("field", a.field, a.fields);
    check_array("shape", a.shape, d);
    check_array("lower", a.lower, d);
    check_array("upper", a.upper, d);
    check_array("stencil", a.stencil, a.t);
    for (int f = 0; f < a.fields; ++f) check_array(mpi::element("field", f).c_str(), a.field[f], 1);
    check_shape(a, d);
    if (a.order != MPI_ORDER_C && a.order != MPI_ORDER_FORTRAN)
        throw Error(MPI_ERR_ARG, "order is " + std::to_string(a.order) +
                                     ", expected MPI_ORDER_C or MPI_ORDER_FORTRAN");
    call::check_type("element", a.element, comm);
}

std::vector<std::int64_t> widened(const int* values, int count) { return {values, values + count}; }

std::vector<mpi::Claim> claims_of(const HaloArguments& a, int d, const Settings& settings) {
    return {{"fields", {a.fields}},
            {"lower", widened(a.lower, d)},
            {"upper", widened(a.upper, d)},
            {"order", {a.order == MPI_ORDER_C ? 0 : 1}},
            {"size in bytes of element", {mpi::size_of(a.element)}},
            {"t", {a.t}},
            {"stencil", widened(a.stencil, a.t * d)},
            settings.claim()};
}

/// What all ranks own, of what each knows of itself; the same error on all ranks if those with one
/// coordinate own different numbers of cells in its dimension. @note Collective.
std::vector<std::vector<Cells>> gathered_extents(const topology::Grid& grid, const int* shape,
                                                 MPI_Comm cartcomm) {
    int rank = 0;
    check(MPI_Comm_rank(cartcomm, &rank), "MPI_Comm_rank");
    const auto here = grid.coordinates(rank);
    std::vector<std::vector<Cells>> extents;
    std::vector<std::int64_t> most_and_least;
    for (int k = 0; k < grid.dimensions(); ++k)
        for (int c = 0; c < grid.dim(k); ++c) {
            const bool mine = c == here[static_cast<std::size_t>(k)];
            most_and_least.push_back(mine ? shape[k] : -1);
            most_and_least.push_back(mine ? -shape[k] : std::numeric_limits<int>::min());
        }
    check(MPI_Allreduce(MPI_IN_PLACE, most_and_least.data(),
                        static_cast<int>(most_and_least.size()), MPI_INT64_T, MPI_MAX, cartcomm),
          "MPI_Allreduce");
    auto next = most_and_least.begin();
    for (int k = 0; k < grid.dimensions(); ++k) {
        auto& along = extents.emplace_back();
        for (int c = 0; c < grid.dim(k); ++c) {
            const auto most = *next++;
            const auto least = -*next++;
            if (most != least)
                throw Error(MPI_ERR_DIMS,
                            mpi::element("shape", k) + " is " + std::to_string(least) + " and " +
                                std::to_string(most) + " on ranks at coordinate " +
                                std::to_string(c) + " of that dimension, expected one size");
            along.push_back(most);
        }
    }
    return extents;
}

std::vector<Cells> widths(const int* values, int d) { return {values, values + d}; }

/// A halo exchange as all ranks understand it.
struct Plan {
    halo::Domain domain;
    topology::Neighborhood hops;
    const routing::Rule* rule = nullptr;
    std::optional<routing::Plan> routes = std::nullopt;
};

std::optional<routing::Plan> routes_by(const routing::Rule& rule, const Plan& plan) {
    auto routes = rule.plan(plan.domain.grid(), plan.hops, routing::Pattern::allgather);
    if (!halo::carries_halo(routes, plan.hops)) return std::nullopt;
    return routes;
}

void choose_routes(Plan& plan, const Settings& settings, std::int64_t bytes_per_cell) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto* rule : routing::grid_rules()) {
        if (settings.rule != nullptr ? rule != settings.rule : !rule->automatic) continue;
        auto routes = routes_by(*rule, plan);
        if (!routes) continue;
        const auto bytes = halo::most_cells_sent(*routes, plan.domain) * bytes_per_cell;
        const double cost = choose::estimate(settings.model, *routes, bytes);
        if (cost >= least) continue;
        least = cost;
        plan.rule = rule;
        plan.routes = std::move(routes);
    }
    if (plan.rule == nullptr)
        throw Error(MPI_ERR_INFO_VALUE, "carpool_algorithm is '" +
                                            std::string(settings.rule->name) +
                                            "', whose routes pass ranks that have no such halo, "
                                            "expected direct, cartesian or auto");
}

Plan planned(const topology::Grid& grid, const Settings& settings, const HaloArguments& a,
             MPI_Comm cartcomm) {
    const int d = grid.dimensions();
    const topology::Neighborhood stencil(d, {a.stencil, a.stencil + std::ptrdiff_t{a.t} * d});
    auto extents = gathered_extents(grid, a.shape, cartcomm);
    try {
        halo::Domain domain(grid, std::move(extents), widths(a.lower, d), widths(a.upper, d));
        halo::check_reach(domain, stencil);
        auto hops = halo::hops(domain, stencil);
        Plan plan{std::move(domain), std::move(hops)};
        choose_routes(plan, settings, mpi::size_of(a.element) * a.fields);
        return plan;
    } catch (const std::invalid_argument& error) {
        throw Error(MPI_ERR_ARG, error.what());
    }
}

engine::Buffers buffers_of(const std::vector<halo::Transfer>& transfers, const HaloArguments& a,
                           int d) {
    const BoxShape shapes(a, d);
    engine::Buffers buffers;
    for (const auto& transfer : transfers) {
        buffers.send.push_back(shapes.block(transfer.send));
        buffers.recv.push_back(shapes.block(transfer.receive));
    }
    return buffers;
}

std::shared_ptr<Prepared> prepare_halo(const mpi::CommState& state, const Settings& settings,
                                       const Plan& plan, const HaloArguments& a, int tag) {
    const auto transfers = halo::transfers_of(*plan.routes, plan.domain, state.rank());
    auto schedule = halo::schedule_of(transfers, state.rank(), mpi::size_of(a.element) * a.fields);
    auto prepared = std::make_shared<Prepared>();
    prepared->summary = {std::string(plan.rule->name),    plan.routes->phases(),
                         plan.routes->rounds(),           schedule::messages_sent(schedule),
                         schedule::blocks_sent(schedule), schedule::bytes_sent(schedule)};
    call::name_on_channel(schedule, state);
    prepared->call.buffers = buffers_of(transfers, a, plan.domain.dimensions());
    prepared->exchange =
        exchange_of(state, settings, schedule, prepared->call.buffers, plan.routes->phases(), tag);
    return prepared;
}

}  // namespace

std::unique_ptr<engine::Request> plan_halo(MPI_Comm cartcomm, const HaloArguments& arguments,
                                           MPI_Info info) {
    const auto lent = mpi::Attribute<Topology>::find(cartcomm);
    const auto grid = cartesian_grid(cartcomm);
    const auto state = engine::opened_state(cartcomm);
    const int d = grid.dimensions();
    Settings settings;
    std::optional<Error> mistake;
    std::vector<mpi::Claim> claims;
    try {
        check_arguments(arguments, d, state->channel_comm());
        settings = (lent ? lent->definition().settings : Settings::from_environment()).with(info);
        claims = claims_of(arguments, d, settings);
    } catch (const Error& error) {
        mistake = error;
    }
    mpi::Agreement agreement(cartcomm, std::move(claims), mistake);
    concluded(agreement);
    const auto plan = planned(grid, settings, arguments, cartcomm);
    auto tag = persistent_tag(state, cartcomm);
    auto prepared = prepare_halo(*state, settings, plan, arguments, tag.value());
    return engine::Request::persistent(cartcomm, std::move(tag), std::move(prepared));
}

}  // namespace carpool::neighbor
