#include "ordinary/init.hpp"

#include "arguments/key.hpp"
#include "call/recent.hpp"
#include "mpi/attribute.hpp"
#include "mpi/operator.hpp"
#include "ordinary/collective.hpp"
#include "ordinary/known_to_all.hpp"
#include "ordinary/rebinding.hpp"
#include "ordinary/significant.hpp"

#include <optional>
#include <utility>

namespace carpool::ordinary {
namespace {

/// The sides whose arguments tell calls apart: those that are significant and not in place.
Significant telling(const CollectiveArguments& arguments, int rank) {
    const auto [sends, receives] = significant(arguments, rank);
    return {sends && !in_place(arguments.send), receives && !in_place(arguments.recv)};
}

/// The key of a call on a communicator with so many ranks; not whole if the call lacks an array.
/// Calls with different digests (known_to_all.hpp) have different keys even if they have no receive
/// buffer here: gather and gatherv.
arguments::Key key_of(const CollectiveArguments& arguments, int rank, int ranks) {
    const auto& [kind, send, recv, root, op, overlap] = arguments;
    arguments::Key key;
    key.add(static_cast<std::int64_t>(kind));
    key.add(root);
    if (op != MPI_OP_NULL) key.add(arguments::number_of(op));
    const auto [sends, receives] = telling(arguments, rank);
    const bool varying = arguments.count_per_rank();
    key.add(4 * varying + 2 * sends + receives);
    if (sends) key.add(send, ranks);
    if (receives) key.add(recv, ranks);
    return key;
}

void watch(arguments::StoredKey& stored, const CollectiveArguments& arguments, int rank,
           int ranks) {
    const auto [sends, receives] = telling(arguments, rank);
    if (sends) stored.watch(arguments.send, ranks);
    if (receives) stored.watch(arguments.recv, ranks);
}

/// The settings of a communicator, read at its first call. Local.
std::shared_ptr<CommSettings> comm_settings_of(MPI_Comm comm, std::optional<mpi::Error>& mistake) {
    auto comm_settings = mpi::Attribute<CommSettings>::of(comm);
    if (!comm_settings->settings)
        mistake = mpi::mistake_in([&] { comm_settings->settings = EnvironmentSettings::read(); });
    return comm_settings;
}

void store(arguments::StoredKey& stored, const arguments::Key& key,
           const CollectiveArguments& arguments, int rank, int ranks) {
    stored.become(key);
    watch(stored, arguments, rank, ranks);
}

void keep_for_later(OrdinaryCollective& collective, MPI_Comm comm,
                    const CollectiveArguments& arguments, const mpi::CommState& state) {
    auto recent = mpi::Attribute<call::Recent>::of(comm);
    auto& calls = recent->of(call::RecentFamily::collectives);
    calls.sent = state.size();
    calls.rank = state.rank();
    calls.ready = true;
    const auto key = key_of(arguments, state.rank(), state.size());
    if (!key.whole()) return;
    arguments::StoredKey stored;
    store(stored, key, arguments, state.rank(), state.size());
    collective.keep_as(std::move(stored), std::move(recent));
}

/// Binds a call that was bound to other arguments to these; null if that is not possible.
std::shared_ptr<call::BoundCall> rebound(MPI_Comm comm, const CollectiveArguments& arguments,
                                         const arguments::Key& key, call::RecentCalls& recent) {
    const auto* const comm_settings = mpi::Attribute<CommSettings>::peek(comm);
    if (!key.whole() || comm_settings == nullptr || !comm_settings->known) return nullptr;
    const auto known = known_to_all(arguments, recent.rank, recent.sent);
    if (!known) return nullptr;
    const auto candidate = comm_settings->by_cost.find(known->digest());
    return recent.rebound(
        key, form_of(arguments, *known, !candidate), candidate,
        [&](call::BoundCall& call, arguments::StoredKey& stored) {
            auto& rebinding = *static_cast<CollectiveRebinding*>(call.read.get());
            if (!rebinding.rebind(call, arguments, comm_settings->settings->of.at(arguments.kind)))
                return false;
            return !mpi::mistake_in(
                [&] { store(stored, key, arguments, recent.rank, recent.sent); });
        });
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const CollectiveArguments& arguments,
                                             MPI_Info info, call::Return when) {
    auto state = call::state_for_call(comm);
    CollectiveSettings settings;
    const auto mistake =
        mpi::mistake_in([&] { settings = CollectiveSettings::of(arguments.kind, info); });
    auto collective = std::make_unique<OrdinaryCollective>(*state, arguments, settings, mistake);
    return call::persistent(comm, std::move(state), std::move(collective), when);
}

arguments::Key key_of(MPI_Comm comm, const CollectiveArguments& arguments) {
    int rank = 0;
    int ranks = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    return key_of(arguments, rank, ranks);
}

void check_arguments(MPI_Comm comm, const CollectiveArguments& arguments) {
    read_call(arguments, *mpi::CommState::unopened(comm));
}

/// A mistake that this rank has found is thrown before the call is counted, so that its next call
/// takes the place of this one; unless all ranks vote, and so are told.
std::unique_ptr<engine::Request> once(MPI_Comm comm, const CollectiveArguments& arguments,
                                      call::HostBegun::Begin otherwise) {
    const auto unopened = mpi::CommState::unopened(comm);
    std::optional<mpi::Error> mistake;
    auto comm_settings = comm_settings_of(comm, mistake);
    const auto settings =
        mistake ? CollectiveSettings{} : comm_settings->settings->of.at(arguments.kind);
    auto collective = std::make_unique<OrdinaryCollective>(*unopened, arguments, settings, mistake);
    const bool first = !comm_settings->begun;
    collective->apply(comm_settings, first);
    if (!collective->votes()) collective->throw_mistake();
    auto state = call::state_for_call(comm);
    if (!mistake && settings.check == arguments::Check::local)
        keep_for_later(*collective, comm, arguments, *state);
    collective->take_place();
    constexpr bool needs_comm = true;
    return call::once(comm, std::move(state), std::move(collective), needs_comm,
                      std::move(otherwise));
}

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const CollectiveArguments& arguments) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::collectives);
    if (recent == nullptr) return nullptr;
    const auto key = key_of(arguments, recent->rank, recent->sent);
    auto found = recent->find(key);
    return found ? found : rebound(comm, arguments, key, *recent);
}

}  // namespace carpool::ordinary
