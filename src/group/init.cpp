#include "group/init.hpp"

#include "arguments/key.hpp"
#include "arguments/operation_claim.hpp"
#include "call/latest_plans.hpp"
#include "call/recent.hpp"
#include "group/alike.hpp"
#include "group/collective.hpp"
#include "group/host_form.hpp"
#include "group/in_place.hpp"
#include "host/host_call.hpp"
#include "mpi/attribute.hpp"
#include "mpi/operator.hpp"
#include "report/ledger.hpp"

#include <optional>
#include <utility>

namespace carpool::group {
namespace {

/// Which sides a rank looks at: what others give there may be garbage.
struct Significant {
    bool send = true;
    bool recv = true;
};

Significant significant(const Arguments& arguments, bool is_root) {
    using collectives::Kind;
    const auto is = [&](const arguments::Side& side, bool looked_at) {
        return looked_at && !in_place(side);
    };
    const auto& [kind, send, recv, root, op] = arguments;
    const bool sends = kind != Kind::barrier && (kind != Kind::scatter || is_root);
    const bool receives = kind != Kind::barrier && kind != Kind::bcast &&
                          ((kind != Kind::gather && kind != Kind::reduce) || is_root);
    return {is(send, sends), is(recv, receives)};
}

/// The key of a call on a communicator of so many ranks; not whole if it lacks an array. Calls that
/// are not alike (alike.hpp) differ in it, too, where they have no receive buffer: gather, gatherv
/// and gatherv_c.
arguments::Key key_of(const Arguments& arguments, int rank, int ranks) {
    const auto& [kind, send, recv, root, op] = arguments;
    arguments::Key key;
    key.add(static_cast<std::int64_t>(kind));
    key.add(root);
    if (op != MPI_OP_NULL) {
        key.add(arguments::bits_of(op));
        key.add(mpi::commutes(op));
    }
    const auto [sends, receives] = significant(arguments, rank == root);
    const bool varying = arguments.count_per_rank();
    key.add(8 * has_narrow_arrays(arguments) + 4 * varying + 2 * sends + receives);
    if (sends) key.add(send, ranks);
    if (receives) key.add(recv, ranks);
    return key;
}

void watch(arguments::StoredKey& stored, const Arguments& arguments, int rank, int ranks) {
    const auto [sends, receives] = significant(arguments, rank == arguments.root);
    if (sends) stored.watch(arguments.send, ranks);
    if (receives) stored.watch(arguments.recv, ranks);
}

/// The terms of a communicator, which the first call asks for, and this is that one.
std::pair<std::shared_ptr<Terms>, bool> terms_of(MPI_Comm comm,
                                                 std::optional<mpi::Error>& mistake) {
    auto terms = mpi::Attribute<Terms>::of(comm);
    if (terms->settings.empty()) mistake = mpi::mistake_in([&] { terms->read_environment(); });
    return {terms, !std::exchange(terms->begun, true)};
}

void keep_for_later(Collective& collective, MPI_Comm comm, const Arguments& arguments,
                    const mpi::CommState& state) {
    auto recent = mpi::Attribute<call::Recent>::of(comm);
    auto& calls = recent->of(call::RecentFamily::collectives);
    calls.sent = state.size();
    calls.rank = state.rank();
    calls.ready = true;
    arguments::StoredKey stored(key_of(arguments, state.rank(), state.size()));
    if (stored.empty()) return;
    watch(stored, arguments, state.rank(), state.size());
    collective.keep_as(std::move(stored), std::move(recent));
}

/// Carpool_Comm_get_plan says so of them.
void note_host(MPI_Comm comm, const Arguments& arguments) {
    const auto operation = arguments::operation_claim(arguments.kind, arguments.count_per_rank());
    if (auto* const plans = mpi::Attribute<call::LatestPlans>::peek(comm))
        plans->keep(operation.values[0], {.algorithm = engine::host});
}

/// May something be wrong that MPI would tell in its own words?
bool looks_odd(const Arguments& arguments) {
    return arguments.send.buffer == nullptr || arguments.recv.buffer == nullptr;
}

/// Counts a blocking call that is MPI's own; false if it is not, or that cannot be seen at once.
/// Then it goes through all steps, in which all ranks find out the same.
bool goes_to_host(MPI_Comm comm, const Arguments& arguments, std::uint64_t own_call,
                  const call::RecentCalls& recent) {
    const bool is_reported = report::Ledger::wanted() != nullptr;  // the steps write it down
    const auto* const terms = mpi::Attribute<Terms>::peek(comm);
    auto* const table = mpi::Attribute<call::AlikeTable>::peek(comm);
    if (is_reported || terms == nullptr || !terms->known || table == nullptr) return false;
    if (terms->host_calls == 0 || looks_odd(arguments)) return false;
    const auto known = known_to_all(arguments, recent.rank, recent.sent);
    const int host_calls = known ? terms->host_calls_of(*known) : 0;
    if (host_calls == 0) return false;
    const auto digest = known->digest();
    if (const auto alike = table->find(digest)) return alike->goes_to_host(own_call);
    note_host(comm, arguments);
    return !table->counted(digest, {.host_calls = host_calls}, own_call).meet;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, call::Return when) {
    auto state = call::state_for_call(comm);
    Settings settings;
    const auto mistake = mpi::mistake_in([&] { settings = Settings::of(arguments.kind, info); });
    auto collective = std::make_unique<Collective>(*state, arguments, settings, mistake);
    return call::persistent(comm, std::move(state), std::move(collective), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments,
                                      call::Until until) {
    auto state = call::state_for_call(comm);
    std::optional<mpi::Error> mistake;
    auto [terms, first] = terms_of(comm, mistake);
    const auto settings = mistake ? Settings{} : terms->settings.at(arguments.kind);
    auto collective = std::make_unique<Collective>(*state, arguments, settings, mistake);
    collective->heed(std::move(terms), first);
    if (!mistake && settings.check == arguments::Check::local)
        keep_for_later(*collective, comm, arguments, *state);
    return call::once(comm, std::move(state), std::move(collective), until);
}

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const Arguments& arguments,
                                        call::Until until) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::collectives);
    if (recent == nullptr) return nullptr;
    return recent->find(key_of(arguments, recent->rank, recent->sent), until);
}

bool done_by_host(MPI_Comm comm, const Arguments& arguments) {
    const auto* const recent = call::Recent::ready(comm, call::RecentFamily::collectives);
    if (recent == nullptr) return false;
    const auto key = key_of(arguments, recent->rank, recent->sent);
    if (!key.whole() || !goes_to_host(comm, arguments, key.hash(), *recent)) return false;
    call::pass_turn(*mpi::CommState::unopened(comm));
    host::call([&] { return call_at_host(arguments, comm); });
    return true;
}

}  // namespace carpool::group
