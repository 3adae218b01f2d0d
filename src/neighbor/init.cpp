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

/// What a call is given on a communicator; it carries an Adoption if the communicator has not been
/// adopted.
NeighborCollective::Given given_on(MPI_Comm comm, const NeighborArguments& arguments, MPI_Info info,
                                   std::optional<call::Return> when) {
    auto topology = topology_of(comm);
    NeighborCollective::Given given{topology, {}, arguments.operation, is_uniform(arguments)};
    if (topology->defined()) {
        given.settings = topology->definition().settings;
    } else {
        given.adoption = std::make_unique<Adoption>(comm, *topology, when);
        given.settings = given.adoption->settings();
        given.info = kept(info);
    }
    return given;
}

/// Reads the arguments. A mistake in them is kept, to be voted on or reported later. An error about
/// the communicator, which is the same on all ranks, is thrown.
/// @param when  when an init returns; nothing for a blocking or nonblocking call
NeighborCollective::Given read(MPI_Comm comm, const NeighborArguments& arguments, MPI_Info info,
                               std::optional<call::Return> when) {
    auto given = given_on(comm, arguments, info, when);
    const auto& topology = *given.topology;
    const bool at_once = when == call::Return::at_once;
    if (!at_once) given.arguments = arguments;
    given.mistake = mpi::mistake_in([&] {
        check_pointers(topology, arguments);
        given.settings = given.settings.with(info);
        given.call = read_call(topology, arguments);
        check_disjoint(*given.call, arguments,
                       when ? arguments::many_pieces : topology.outdegree() + topology.indegree());
    });
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
                                         const arguments::Key& key, call::RecentCalls& recent,
                                         call::ReturnsAt until) {
    const auto topology = topology_of(comm);
    if (!key.whole() || !topology->defined()) return nullptr;
    std::shared_ptr<CheckedNeighborCall> call;
    const auto mistake = mpi::mistake_in([&] {
        check_pointers(*topology, arguments);
        call = read_call(*topology, arguments, recent.types);
        check_disjoint(*call, arguments, recent.sent + recent.received);
    });
    if (mistake) return nullptr;
    const KnownSizes sizes(*topology, arguments.operation, call->uniform, call.get());
    const auto agreed = sizes.without_vote();
    return recent.rebound(
        key, form_of(*call, agreed), std::nullopt, until,
        [&](call::BoundCall& bound, arguments::StoredKey& stored) {
            auto& rebinding = *static_cast<NeighborRebinding*>(bound.read.get());
            if (!rebinding.rebind(bound, *call, agreed)) return false;
            return !mpi::mistake_in([&] { store(stored, key, arguments, recent); });
        });
}

}  // namespace

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const NeighborArguments& arguments,
                                        call::ReturnsAt until) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::neighborhoods);
    if (recent == nullptr) return nullptr;
    const auto key = key_of(arguments, recent->sent, recent->received);
    auto found = recent->find(key, until);
    return found ? found : rebound(comm, arguments, key, *recent, until);
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, NeighborCollective::Given given,
                                             call::Return when) {
    given.persistent = true;
    auto state = given.topology->state();
    return call::persistent(comm, std::move(state),
                            std::make_unique<NeighborCollective>(std::move(given)), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, NeighborCollective::Given given,
                                      call::ReturnsAt until) {
    auto state = given.topology->state();
    return call::once(comm, std::move(state),
                      std::make_unique<NeighborCollective>(std::move(given)), until);
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const NeighborArguments& arguments,
                                             MPI_Info info, call::Return when) {
    return initialised(comm, read(comm, arguments, info, when), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const NeighborArguments& arguments,
                                      call::ReturnsAt until) {
    auto given = read(comm, arguments, MPI_INFO_NULL, std::nullopt);
    if (given.settings.check == arguments::Check::local) remember(given, comm, arguments);
    return once(comm, std::move(given), until);
}

}  // namespace carpool::neighbor
