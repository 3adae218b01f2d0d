// SPDX-License-Identifier: MIT
#include "neighbor/topology/create.hpp"

#include "engine/opened_state.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "mpi/comm/topology.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/numbering.hpp"
#include "neighbor/topology/topology.hpp"
#include "topology/mapping.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using mpi::check;
using mpi::Error;

void check_array(const char* name, const void* array) {
    if (array == nullptr)
        throw Error(MPI_ERR_ARG, std::string(name) + " is a null pointer, expected an array");
}

void check_grid(const CartArguments& a, int size) {
    mpi::check_at_least("d", a.d, 1, MPI_ERR_DIMS);
    check_array("dims", a.dims);
    check_array("periods", a.periods);
    std::int64_t product = 1;
    int multiplied = 0;
    while (multiplied < a.d && product <= size) {  // so it cannot overflow
        mpi::check_at_least(mpi::element("dims", multiplied), a.dims[multiplied], 1, MPI_ERR_DIMS);
        product *= a.dims[multiplied++];
    }
    if (product != size)
        throw Error(MPI_ERR_DIMS, "the product of dims is " + std::to_string(product) +
                                      (multiplied < a.d ? " or more" : "") + ", expected " +
                                      std::to_string(size) + ", the size of comm");
}

void check_neighbors(const CartArguments& a) {
    mpi::check_at_least(a.t_name, a.t, 0, MPI_ERR_ARG);
    if (a.t == 0) return;
    check_array(a.offsets_name, a.offsets);
    check_array("weight", a.weights);
    if (a.reorder == 0 || a.weights == MPI_UNWEIGHTED) return;
    for (int i = 0; i < a.t; ++i)
        mpi::check_at_least(mpi::element("weight", i), a.weights[i], 0, MPI_ERR_ARG);
}

std::vector<std::int64_t> widened(const std::vector<int>& values) {
    return {values.begin(), values.end()};
}

std::vector<int> weights_of(const CartArguments& a) {
    if (a.t == 0 || a.weights == MPI_UNWEIGHTED) return {};
    return {a.weights, a.weights + a.t};
}

std::vector<int> offsets_of(const CartArguments& a) {
    return {a.offsets, a.offsets + static_cast<std::ptrdiff_t>(a.t) * a.d};
}

std::vector<bool> periods_of(const CartArguments& a) {
    std::vector<bool> periods;
    for (int k = 0; k < a.d; ++k) periods.push_back(a.periods[k] != 0);
    return periods;
}

std::vector<mpi::Claim> claims_of(const CartArguments& a, const Definition& definition) {
    mpi::Claim periods{"periods", {}};
    for (const bool period : periods_of(a)) periods.values.push_back(period);
    return {{"d", {a.d}},
            {"dims", {a.dims, a.dims + a.d}},
            periods,
            {a.t_name, {a.t}},
            {a.offsets_name, widened(offsets_of(a))},
            {"weight", widened(definition.weights)},
            {"reorder", {a.reorder != 0}},
            definition.settings.claim()};
}

/// The definition; null, and `mistake` set, if an argument is wrong.
std::shared_ptr<Definition> define(const CartArguments& a, int size,
                                   std::optional<Error>& mistake) {
    try {
        check_grid(a, size);
        check_neighbors(a);
        return std::make_shared<Definition>(topology::Grid({a.dims, a.dims + a.d}, periods_of(a)),
                                            topology::Neighborhood(a.d, offsets_of(a)),
                                            weights_of(a),
                                            NeighborSettings::from_environment().with(a.info));
    } catch (const Error& error) {
        mistake = error;
        return nullptr;
    }
}

std::shared_ptr<Definition> agree(MPI_Comm comm, const CartArguments& arguments) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    std::optional<Error> mistake;
    auto definition = define(arguments, size, mistake);
    auto claims = mistake ? std::vector<mpi::Claim>{} : claims_of(arguments, *definition);
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    mpi::Agreement agreement(comm, std::move(claims), mistake, tally);
    while (!agreement.test()) engine::Activity::progress();
    agreement.conclude_together();
    definition->ranks_per_core = mpi::ranks_per_core(agreement.tally().oversubscription.most);
    return definition;
}

Numbering numbering_of(MPI_Comm comm, const Definition& definition, bool reorder) {
    auto state = engine::opened_state(comm);
    if (!reorder || !state->nodes()) return {comm, std::move(state)};
    return {comm, state, [&] {
                return topology::mapping_of(definition.grid(), definition.neighborhood(),
                                            definition.weights, *state->nodes());
            }};
}

}  // namespace

MPI_Comm create_cart(MPI_Comm comm, const CartArguments& a) {
    auto definition = agree(comm, a);
    const auto numbering = numbering_of(comm, *definition, a.reorder != 0);
    mpi::Comm cart;
    check(MPI_Cart_create(numbering.comm(), a.d, a.dims, a.periods, 0, cart.out()),
          "MPI_Cart_create");
    numbering.give_handler(cart.get());
    Topology::attach(cart.get(), std::move(definition),
                     mpi::CommState::lent(numbering.state()->channel(), cart.get()));
    return cart.release();
}

topology::Grid cartesian_grid(MPI_Comm cartcomm) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(cartcomm, &kind), "MPI_Topo_test");
    if (kind != MPI_CART)
        throw Error(MPI_ERR_TOPOLOGY,
                    "cartcomm has no Cartesian topology, expected one made by MPI_Cart_create");
    return mpi::grid_of(cartcomm);
}

MPI_Comm create_iso(MPI_Comm cartcomm, int s, const int* offsets) {
    const auto grid = cartesian_grid(cartcomm);
    std::vector<int> dims;
    std::vector<int> periods;
    for (int k = 0; k < grid.dimensions(); ++k) {
        dims.push_back(grid.dim(k));
        periods.push_back(grid.periodic(k) ? 1 : 0);
    }
    return create_cart(cartcomm, {grid.dimensions(), dims.data(), periods.data(), s, offsets,
                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0, "s", "relative_coordinates"});
}

}  // namespace carpool::neighbor
