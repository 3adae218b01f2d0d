#include "neighbor/init.hpp"

#include "arguments/shared_memory.hpp"
#include "call/recent.hpp"
#include "mpi/attribute.hpp"
#include "neighbor/adopt.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/rebinding.hpp"

#include <optional>
#include <utility>

namespace carpool::neighbor {
namespace {

/// A duplicate of the user's info, because the user may free the info before it is needed again.
mpi::Info kept(MPI_Info info) {
    mpi::Info copy;
    if (info != MPI_INFO_NULL) mpi::check(MPI_Info_dup(info, copy.out()), "MPI_Info_dup");
    return copy;
}

/// What this rank has read of its arguments, or what is wrong with them.
struct Reading {
    std::shared_ptr<CheckedNeighborCall> call = {};
    std::optional<mpi::Error> mistake = {};
};

/// Reads the arguments. Local, so a call with a mistake may still be left out.
/// @param most_pieces  the most pieces of each side that are compared
Reading read(const Topology& topology, const NeighborArguments& arguments,
             std::int64_t most_pieces) {
    Reading reading;
    reading.mistake = mpi::mistake_in([&] {
        check_pointers(topology, arguments);
        reading.call = read_call(topology, arguments);
        check_disjoint(*reading.call, arguments, most_pieces);
    });
    return reading;
}

/// The most pieces of each side that a blocking or nonblocking call compares.
std::int64_t few_pieces(const Topology& topology) {
    return topology.outdegree() + topology.indegree();
}

/// What a call is given on a communicator; it carries an Adoption if the communicator has not been
/// adopted. A mistake is kept, to be voted on. An error about the communicator, which is the same
/// on all ranks, is thrown.
/// @param when  when an init returns; nothing for a blocking or nonblocking call
/// @note Collective at the first call on the communicator.
NeighborCollective::Given given(MPI_Comm comm, const NeighborArguments& arguments, MPI_Info info,
                                std::optional<call::Return> when, Reading reading) {
    auto topology = topology_of(comm);
    NeighborCollective::Given given{topology, {}, arguments.operation, is_uniform(arguments)};
    if (topology->defined()) {
        given.settings = topology->definition().settings;
    } else {
        given.adoption = std::make_unique<Adoption>(comm, *topology, when);
        given.settings = given.adoption->settings();
        given.info = kept(info);
    }
    if (when != call::Return::at_once) given.arguments = arguments;
    given.call = std::move(reading.call);
    given.mistake = std::move(reading.mistake);
    if (!given.mistake)
        given.mistake = mpi::mistake_in([&] { given.settings = given.settings.with(info); });
    return given;
}

void store(arguments::StoredKey& stored, const arguments::Key& key,
           const NeighborArguments& arguments, const call::RecentCalls& recent) {
    stored.become(key);
    stored.watch(arguments.send, recent.sent);
    stored.watch(arguments.recv, recent.received);
}

/// Sets where, and under which key, the call is to be kept.
void remember(NeighborCollective::Given& given, MPI_Comm comm, const NeighborArguments& arguments) {
    const auto& topology = *given.topology;
    const int sent = topology.outdegree();
    const int received = topology.indegree();
    given.recent = mpi::Attribute<call::Recent>::of(comm);
    auto& recent = given.recent->of(call::RecentFamily::neighborhoods);
    recent.sent = sent;
    recent.received = received;
    recent.ready = true;
    if (!given.mistake) store(given.key, key_of(arguments, sent, received), arguments, recent);
}

/// Binds a call that was bound to other arguments to these; null if that is not possible.
std::shared_ptr<call::BoundCall> rebound(MPI_Comm comm, const NeighborArguments& arguments,
                                         const arguments::Key& key, call::RecentCalls& recent) {
    const auto topology = topology_of(comm);
    if (!key.whole() || !topology->defined()) return nullptr;
    std::shared_ptr<CheckedNeighborCall> call;
    const auto mistake = mpi::mistake_in([&] {
        check_pointers(*topology, arguments);
        call = read_call(*topology, arguments, recent.types);
        check_disjoint(*call, arguments, few_pieces(*topology));
    });
    if (mistake) return nullptr;
    const KnownSizes sizes(*topology, arguments.operation, call->uniform, call.get());
    const auto agreed = sizes.without_vote();
    return recent.rebound(
        key, form_of(*call, agreed), std::nullopt,
        [&](call::BoundCall& bound, arguments::StoredKey& stored) {
            auto& rebinding = *static_cast<NeighborRebinding*>(bound.read.get());
            if (!rebinding.rebind(bound, *call, agreed)) return false;
            return !mpi::mistake_in([&] { store(stored, key, arguments, recent); });
        });
}

}  // namespace

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const NeighborArguments& arguments) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::neighborhoods);
    if (recent == nullptr) return nullptr;
    const auto key = key_of(arguments, recent->sent, recent->received);
    auto found = recent->find(key);
    return found ? found : rebound(comm, arguments, key, *recent);
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, NeighborCollective::Given given,
                                             call::Return when) {
    given.persistent = true;
    auto state = given.topology->state();
    return call::persistent(comm, std::move(state),
                            std::make_unique<NeighborCollective>(std::move(given)), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, NeighborCollective::Given given,
                                      call::HostBegun::Begin otherwise) {
    auto state = given.topology->state();
    constexpr bool needs_comm = true;
    return call::once(comm, std::move(state),
                      std::make_unique<NeighborCollective>(std::move(given)), needs_comm,
                      std::move(otherwise));
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const NeighborArguments& arguments,
                                             MPI_Info info, call::Return when) {
    auto reading = read(*read_topology_of(comm), arguments, arguments::many_pieces);
    return initialised(comm, given(comm, arguments, info, when, std::move(reading)), when);
}

arguments::Key key_of(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto topology = read_topology_of(comm);
    return key_of(arguments, topology->outdegree(), topology->indegree());
}

void check_arguments(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto topology = read_topology_of(comm);
    const auto reading = read(*topology, arguments, few_pieces(*topology));
    if (reading.mistake) throw mpi::Error(*reading.mistake);
}

/// A mistake that this rank has found is thrown before the call is counted, so that its next call
/// takes the place of this one; unless all ranks are to be told (carpool_check=all).
std::unique_ptr<engine::Request> once(MPI_Comm comm, const NeighborArguments& arguments,
                                      call::HostBegun::Begin otherwise) {
    const auto topology = read_topology_of(comm);
    auto reading = read(*topology, arguments, few_pieces(*topology));
    if (reading.mistake && settings_before_adoption(*topology).check == arguments::Check::local)
        throw mpi::Error(*reading.mistake);
    auto made = given(comm, arguments, MPI_INFO_NULL, std::nullopt, std::move(reading));
    if (made.settings.check == arguments::Check::local) remember(made, comm, arguments);
    return once(comm, std::move(made), std::move(otherwise));
}

}  // namespace carpool::neighbor
