// SPDX-License-Identifier: MIT
#include "neighbor/halo/halo_init.hpp"

#include "call/pipeline.hpp"
#include "engine/opened_state.hpp"
#include "mpi/attribute.hpp"
#include "neighbor/halo/halo_exchange.hpp"
#include "neighbor/topology/create.hpp"
#include "neighbor/topology/topology.hpp"

#include <utility>

namespace carpool::neighbor {

std::unique_ptr<engine::Request> initialised(MPI_Comm cartcomm, const HaloArguments& arguments,
                                             MPI_Info info) {
    const auto topology = mpi::Attribute<Topology>::find(cartcomm);
    auto grid = cartesian_grid(cartcomm);
    auto state = engine::opened_state(cartcomm);
    NeighborSettings settings;
    const auto mistake = mpi::mistake_in([&] {
        check_arguments(arguments, grid.dimensions(), state->channel_comm());
        settings =
            (topology ? topology->definition().settings : NeighborSettings::from_environment())
                .with(info);
    });
    auto halo = std::make_unique<HaloExchange>(std::move(grid), state->rank(), arguments,
                                               std::move(settings), mistake);
    return call::persistent(cartcomm, std::move(state), std::move(halo), call::Return::planned);
}

}  // namespace carpool::neighbor
