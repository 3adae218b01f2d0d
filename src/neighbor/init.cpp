#include "neighbor/init.hpp"

#include "call/recent.hpp"
#include "call/shared_memory.hpp"
#include "mpi/attribute.hpp"
#include "neighbor/adopt.hpp"
#include "neighbor/candidate.hpp"

#include <utility>

namespace carpool::neighbor {
namespace {

/// Reads the arguments. A mistake in them is kept, to be agreed upon or told; one that all ranks
/// see alike, about the communicator, is thrown.
Collective::Given read(MPI_Comm comm, const Arguments& arguments, MPI_Info info, bool persistent) {
    auto topology = adopted(comm);
    Collective::Given given{topology, topology->definition().settings, arguments.operation,
                            is_uniform(arguments)};
    given.mistake = mpi::mistake_in([&] {
        check_pointers(*topology, arguments);
        given.settings = chosen_for(*topology, given.settings.with(info));
        candidates_planned(*topology, given.settings, given.operation);  // or refused
        given.call = read_call(*topology, arguments);
        check_disjoint(
            *given.call, arguments,
            persistent ? call::many_pieces : topology->outdegree() + topology->indegree());
    });
    return given;
}

/// Where the call is kept, and as what.
void remember(Collective::Given& given, MPI_Comm comm, const Arguments& arguments) {
    const auto& topology = *given.topology;
    const int sent = topology.outdegree();
    const int received = topology.indegree();
    given.recent = mpi::Attribute<call::Recent>::of(comm);
    auto& recent = given.recent->of(call::RecentFamily::neighborhoods);
    recent.sent = sent;
    recent.received = received;
    recent.ready = true;
    if (given.mistake) return;
    if (const auto key = key_of(arguments, sent, received)) {
        given.key = call::StoredKey(*key);
        given.key.watch(arguments.send, sent);
        given.key.watch(arguments.recv, received);
    }
}

}  // namespace

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const Arguments& arguments) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::neighborhoods);
    if (recent == nullptr) return nullptr;
    const auto key = key_of(arguments, recent->sent, recent->received);
    return key ? recent->calls.find(*key) : nullptr;
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, Collective::Given given,
                                             call::Return when) {
    given.persistent = true;
    auto state = given.topology->state();
    auto collective = std::make_unique<Collective>(std::move(given));
    if (when == call::Return::at_once) collective->plan_first(comm);
    return call::persistent(comm, std::move(state), std::move(collective), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, Collective::Given given) {
    auto state = given.topology->state();
    auto collective = std::make_unique<Collective>(std::move(given));
    collective->plan_first(comm);
    return call::once(comm, std::move(state), std::move(collective));
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, call::Return when) {
    return initialised(comm, read(comm, arguments, info, true), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments) {
    auto given = read(comm, arguments, MPI_INFO_NULL, false);
    if (given.settings.check == call::Check::local) remember(given, comm, arguments);
    return once(comm, std::move(given));
}

}  // namespace carpool::neighbor
