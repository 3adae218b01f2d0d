#include "group/init.hpp"

#include "call/key.hpp"
#include "call/recent.hpp"
#include "group/collective.hpp"
#include "group/in_place.hpp"
#include "mpi/attribute.hpp"

#include <optional>
#include <utility>

namespace carpool::group {
namespace {

/// That of a call of ranks so many; none if it lacks an array.
std::optional<call::Key> key_of(const Arguments& arguments, int ranks) {
    const auto& [kind, send, recv, root, op] = arguments;
    call::Key key;
    key.add(static_cast<std::int64_t>(kind));
    key.add(root);
    for (const auto* side : {&send, &recv}) {
        key.add(in_place(*side));
        if (in_place(*side)) continue;
        if (call::lacks_array(*side, ranks)) return std::nullopt;
        key.add(*side, ranks);
    }
    return key;
}

void watch(call::StoredKey& stored, const Arguments& arguments, int ranks) {
    for (const auto* side : {&arguments.send, &arguments.recv})
        if (!in_place(*side)) stored.watch(*side, ranks);
}

/// The terms of a communicator, which the first call asks for, and this is that one.
std::pair<std::shared_ptr<Terms>, bool> terms_of(MPI_Comm comm,
                                                 std::optional<mpi::Error>& mistake) {
    auto terms = mpi::Attribute<Terms>::of(comm);
    if (terms->settings.empty()) mistake = mpi::mistake_in([&] { terms->read_environment(); });
    return {terms, !std::exchange(terms->begun, true)};
}

void keep_for_later(Collective& collective, MPI_Comm comm, const Arguments& arguments, int ranks) {
    auto recent = mpi::Attribute<call::Recent>::of(comm);
    auto& calls = recent->of(call::RecentFamily::collectives);
    calls.sent = ranks;
    calls.ready = true;
    const auto key = key_of(arguments, ranks);
    if (!key) return;
    call::StoredKey stored(*key);
    watch(stored, arguments, ranks);
    collective.keep_as(std::move(stored), std::move(recent));
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

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments) {
    auto state = call::state_for_call(comm);
    std::optional<mpi::Error> mistake;
    auto [terms, first] = terms_of(comm, mistake);
    const auto settings = mistake ? Settings{} : terms->settings.at(arguments.kind);
    auto collective = std::make_unique<Collective>(*state, arguments, settings, mistake);
    collective->heed(std::move(terms), first);
    if (!mistake && settings.check == call::Check::local)
        keep_for_later(*collective, comm, arguments, state->size());
    return call::once(comm, std::move(state), std::move(collective));
}

std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const Arguments& arguments) {
    auto* const recent = call::Recent::ready(comm, call::RecentFamily::collectives);
    if (recent == nullptr) return nullptr;
    const auto key = key_of(arguments, recent->sent);
    return key ? recent->calls.find(*key) : nullptr;
}

}  // namespace carpool::group
