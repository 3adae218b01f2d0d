// SPDX-License-Identifier: MIT
#include "sparse/sparse_alltoallv.hpp"

#include "call/kept_calls.hpp"
#include "call/pipeline.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "neighbor/begun_at_host.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/filler.hpp"
#include "neighbor/init.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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
NeighborCollective::CallInput read(const ListedCall& call, MPI_Info info,
                                   const std::shared_ptr<mpi::CommState>& state) {
    NeighborCollective::CallInput given{nullptr, {}, call.arguments.operation};
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
        neighbor::check_disjoint(*given.call, call.arguments, neighbor::few_pieces(*topology));
        topology->know_bytes(
            {mpi::sizes_of(given.call->buffers.send), mpi::sizes_of(given.call->buffers.recv)});
        given.topology = std::move(topology);
    });
    if (given.mistake) given.topology = topology_of({}, given.settings, state);
    return given;
}

/// The form of a call along lists. Lists of as many ranks share it, whichever these are: root and
/// op hold the two degrees.
call::CallForm form_of(const ListedCall& call) {
    constexpr std::int64_t along_lists = -1;
    return {along_lists, call.destinations.degree, call.sources.degree};
}

/// Says among which calls this one is to be kept.
void keep_for_later(NeighborCollective::CallInput& given, const ListedCall& call) {
    if (given.mistake || given.first || given.settings.check != arguments::Check::local) return;
    given.form = form_of(call);
    given.kept = neighbor::KeptNeighborCalls::with(
        given.form, call.comm, given.topology->state(),
        [&] { return neighbor::NeighborFillArguments{given.topology, *given.call, {{}, false}}; });
}

/// The calls along lists that were made on a communicator.
struct ListUse {
    bool voted = false;  ///< in a first call, all ranks have agreed on their settings
};

bool leads_to(const std::vector<topology::Edge>& edges, const arguments::PeerList& list) {
    return std::ranges::equal(edges, std::span(list.ranks, static_cast<std::size_t>(list.degree)),
                              [](const topology::Edge& edge, int rank) {
                                  return edge.peer ==
                                         (rank == MPI_PROC_NULL ? topology::no_rank : rank);
                              });
}

bool goes_along(const Topology& topology, const ListedCall& call) {
    return leads_to(topology.edges().out, call.destinations) &&
           leads_to(topology.edges().in, call.sources);
}

}  // namespace

std::unique_ptr<engine::Request> initialised(const ListedCall& call, MPI_Info info, call::Return) {
    auto given = read(call, info, call::state_for_call(call.comm));
    return neighbor::initialised(call.comm, std::move(given), call::Return::planned);
}

/// A mistake that this rank has found is thrown before the call is counted, unless all ranks vote.
std::unique_ptr<engine::Request> once(const ListedCall& call) {
    auto given = read(call, MPI_INFO_NULL, mpi::CommState::unopened(call.comm));
    const auto use = mpi::Attribute<ListUse>::of(call.comm);
    given.first = !use->voted;
    const bool votes = given.first || given.settings.check == arguments::Check::all;
    if (given.mistake && !votes) throw mpi::Error(*given.mistake);
    use->voted = true;
    given.voted = {use, &use->voted};
    call::state_for_call(call.comm);  // opens the state, now that no mistake stops this rank alone
    given.settings.rule = &routing::direct;
    given.topology->routes().plan_direct(given.topology->graph());
    given.barrier = mpi::Attribute<agree::NodeBarrier>::of(call.comm);
    keep_for_later(given, call);
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

/// Takes a call along the same lists that is bound to these blocks; else fills one in which the
/// same blocks are empty.
std::shared_ptr<call::BoundCall> filled(const ListedCall& call) {
    using neighbor::KeptNeighborCalls;
    const auto& [destinations, sources, arguments, comm, mistake] = call;
    if (mistake || arguments::lacks_ranks(destinations) || arguments::lacks_ranks(sources))
        return nullptr;
    const auto form = [&] { return form_of(call); };
    return KeptNeighborCalls::found(comm, form, [&](KeptNeighborCalls& all, auto& kept) {
        auto& read = kept.arguments;
        bool is_read = false;
        const auto read_along = [&](const Topology& topology) {
            if (!goes_along(topology, call)) return false;
            if (std::exchange(is_read, true)) return true;
            neighbor::check_pointers(topology, arguments);
            neighbor::read_call_again(read.call, topology, arguments);
            return true;
        };
        return all.filled(
            kept, call::sizes_of_pairs,
            [&](call::BoundCall& bound) {
                const auto& filler = neighbor::filler_of(bound);
                return read_along(filler.topology()) && filler.is_bound_to(read.call);
            },
            [&](call::BoundCall& bound) {
                auto& filler = neighbor::filler_of(bound);
                if (!read_along(filler.topology()) || !filler.has_same_empty_blocks(read.call))
                    return false;
                neighbor::check_disjoint(read.call, arguments,
                                         neighbor::few_pieces(filler.topology()));
                return filler.fill(bound, read.call, read.agreed);
            });
    });
}

}  // namespace carpool::sparse
