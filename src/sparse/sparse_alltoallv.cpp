#include "sparse/sparse_alltoallv.hpp"

#include "call/pipeline.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "neighbor/begun_at_host.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/init.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace carpool::sparse {
namespace {

using neighbor::NeighborCollective;
using neighbor::Topology;

std::shared_ptr<Topology> topology_of(topology::Adjacency edges,
                                      const neighbor::NeighborSettings& settings,
                                      std::shared_ptr<mpi::CommState> state) {
    auto definition = std::make_shared<neighbor::Definition>(std::nullopt, settings);
    return Topology::of_call(std::move(definition), std::move(edges), std::move(state));
}

/// Reads a call. One with a mistake gets no neighbors, so that the ranks can agree on the rest.
NeighborCollective::Given read(const ListedCall& call, MPI_Info info,
                               const std::shared_ptr<mpi::CommState>& state) {
    NeighborCollective::Given given{nullptr, {}, call.arguments.operation};
    given.listed = true;
    given.mistake = mpi::mistake_in([&] {
        given.settings =
            neighbor::NeighborSettings::from_environment();  // needed even after a mistake
        if (call.mistake) throw mpi::Error(*call.mistake);
        topology::Adjacency edges{arguments::edges_of(call.destinations, state->size()),
                                  arguments::edges_of(call.sources, state->size())};
        given.settings = given.settings.with(info);
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

/// The key of a call; not whole if the call has a mistake or lacks an array.
arguments::Key key_of(const ListedCall& call) {
    const auto& [destinations, sources, arguments, comm, mistake] = call;
    if (mistake || arguments::lacks_ranks(destinations) || arguments::lacks_ranks(sources))
        return arguments::Key::spoilt();
    auto key = neighbor::key_of(arguments, destinations.degree, sources.degree);
    for (const auto* list : {&destinations, &sources}) {
        key.add(list->degree);
        key.add(std::as_bytes(std::span(list->ranks, static_cast<std::size_t>(list->degree))));
    }
    return key;
}

/// Says where and under which key the call is kept.
void remember(NeighborCollective::Given& given, const ListedCall& call) {
    given.recent = mpi::Attribute<call::Recent>::of(call.comm);
    given.family = call::RecentFamily::lists;
    if (given.mistake || given.first || given.settings.check != arguments::Check::local) return;
    given.key.become(key_of(call));
    given.key.watch(call.arguments.send, call.destinations.degree);
    given.key.watch(call.arguments.recv, call.sources.degree);
}

/// The calls along lists that were made on a communicator. The first is one in which all ranks
/// agree on their settings: until then they are not ready.
call::RecentCalls& lists_on(MPI_Comm comm) {
    return mpi::Attribute<call::Recent>::of(comm)->of(call::RecentFamily::lists);
}

}  // namespace

std::unique_ptr<engine::Request> initialised(const ListedCall& call, MPI_Info info, call::Return) {
    auto given = read(call, info, call::state_for_call(call.comm));
    return neighbor::initialised(call.comm, std::move(given), call::Return::planned);
}

/// A mistake that this rank has found is thrown before the call is counted, unless all ranks vote.
std::unique_ptr<engine::Request> once(const ListedCall& call) {
    auto given = read(call, MPI_INFO_NULL, mpi::CommState::unopened(call.comm));
    auto& lists = lists_on(call.comm);
    given.first = !lists.ready;
    const bool votes = given.first || given.settings.check == arguments::Check::all;
    if (given.mistake && !votes) throw mpi::Error(*given.mistake);
    lists.ready = true;
    call::state_for_call(call.comm);
    given.settings.rule = &routing::direct;
    given.topology->routes().plan_direct(given.topology->graph());
    given.barrier = mpi::Attribute<agree::NodeBarrier>::of(call.comm);
    remember(given, call);
    return neighbor::once(call.comm, std::move(given));
}

MPI_Request begun_at_host(const char* function, const ListedCall& call) {
    if (call.mistake) throw mpi::Error(*call.mistake);
    auto state = mpi::CommState::unopened(call.comm);
    topology::Adjacency edges{arguments::edges_of(call.destinations, state->size()),
                              arguments::edges_of(call.sources, state->size())};
    const auto topology = topology_of(std::move(edges), {}, std::move(state));
    return neighbor::begun_at_host(function, call.comm, *topology, call.arguments);
}

std::shared_ptr<call::BoundCall> recent(const ListedCall& call) {
    auto* const recent = call::Recent::ready(call.comm, call::RecentFamily::lists);
    return recent == nullptr ? nullptr : recent->find(key_of(call));
}

}  // namespace carpool::sparse
