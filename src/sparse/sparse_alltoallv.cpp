#include "sparse/sparse_alltoallv.hpp"

#include "call/pipeline.hpp"
#include "mpi/error.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/init.hpp"

#include <utility>

namespace carpool::sparse {
namespace {

using neighbor::Collective;
using neighbor::Topology;

std::shared_ptr<Topology> topology_of(topology::Adjacency edges, const neighbor::Settings& settings,
                                      std::shared_ptr<mpi::CommState> state) {
    auto definition = std::make_shared<neighbor::Definition>(std::nullopt, settings);
    return Topology::of_call(std::move(definition), std::move(edges), std::move(state));
}

/// Reads a call. With a mistake it is one without neighbors, so that the rest can be agreed on.
Collective::Given read(const ListedCall& call, MPI_Info info,
                       const std::shared_ptr<mpi::CommState>& state) {
    Collective::Given given{nullptr, {}, call.arguments.operation};
    given.mistake = mpi::mistake_in([&] {
        if (call.mistake) throw mpi::Error(*call.mistake);
        topology::Adjacency edges{call::edges_of(call.destinations, state->size()),
                                  call::edges_of(call.sources, state->size())};
        given.settings = neighbor::Settings::from_environment().with(info);
        auto topology = topology_of(std::move(edges), given.settings, state);
        given.settings = neighbor::chosen_for(*topology, std::move(given.settings));
        neighbor::check_pointers(*topology, call.arguments);
        given.call = neighbor::read_call(*topology, call.arguments);
        neighbor::check_disjoint(*given.call, call.arguments,
                                 topology->outdegree() + topology->indegree());
        topology->know_bytes(
            {neighbor::bytes_sent(*given.call), neighbor::bytes_received(*given.call)});
        given.topology = std::move(topology);
    });
    if (given.mistake) given.topology = topology_of({}, given.settings, state);
    return given;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(const ListedCall& call, MPI_Info info, call::Return) {
    auto given = read(call, info, call::state_for_call(call.comm));
    return neighbor::initialised(call.comm, std::move(given), call::Return::planned);
}

/// Lists are new at each call: that somebody is waited for who knows nothing of it, only a vote
/// tells.
std::unique_ptr<engine::Request> once(const ListedCall& call) {
    auto given = read(call, MPI_INFO_NULL, call::state_for_call(call.comm));
    given.settings.check = call::Check::all;
    given.settings.rule = &routing::direct;
    given.topology->routes().plan_direct(given.topology->graph());
    return neighbor::once(call.comm, std::move(given), call::Until::begun);
}

}  // namespace carpool::sparse
