#include "group/init.hpp"

#include "call/recent.hpp"
#include "call/signature.hpp"
#include "group/collective.hpp"
#include "group/in_place.hpp"
#include "mpi/attribute.hpp"

#include <utility>

namespace carpool::group {
namespace {

/// None where a type is derived.
call::Signature signature_of(const Arguments& arguments, const Settings& settings, int ranks) {
    const auto& [kind, send, recv, root, op] = arguments;
    call::Signature signature{call::family_of_collectives, static_cast<std::int64_t>(kind),
                              recv.varying_counts, recv.varying_types, call::bits_of(send.buffer)};
    for (const auto& claim : settings.claims())
        signature.insert(signature.end(), claim.values.begin(), claim.values.end());
    for (const auto* side : {&send, &recv}) {
        if (in_place(*side)) continue;
        call::check_arrays(*side, ranks);
        if (!call::sign(signature, *side, ranks)) return {};
    }
    return signature;
}

/// A call, and what was bound before for the same arguments.
struct RecentOrNew {
    std::unique_ptr<Collective> collective;
    std::shared_ptr<call::BoundCall> earlier;
};

/// Arguments of the latest calls are not read again. @note Local.
RecentOrNew recent_or_new(MPI_Comm comm, const mpi::CommState& state, const Arguments& arguments) {
    Settings settings;
    call::Signature signature;
    std::shared_ptr<call::BoundCall> earlier;
    const auto mistake = mpi::mistake_in([&] {
        settings = Settings::of(arguments.kind, MPI_INFO_NULL);
        signature = signature_of(arguments, settings, state.size());
        earlier = mpi::Attribute<call::Recent>::of(comm)->calls.find(signature);
    });
    auto collective = earlier ? std::make_unique<Collective>(
                                    state, settings, std::static_pointer_cast<Call>(earlier->call),
                                    earlier->number)
                              : std::make_unique<Collective>(state, arguments, settings, mistake);
    collective->sign(std::move(signature));
    return {std::move(collective), std::move(earlier)};
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, call::Return when) {
    auto state = call::state_for_call(comm);
    Settings settings;
    const auto mistake = mpi::mistake_in([&] { settings = Settings::of(arguments.kind, info); });
    settings.assert_matching = false;  // an init is collective anyway
    auto collective = std::make_unique<Collective>(*state, arguments, settings, mistake);
    return call::persistent(comm, std::move(state), std::move(collective), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments) {
    auto state = call::state_for_call(comm);
    auto [collective, earlier] = recent_or_new(comm, *state, arguments);
    return call::once(comm, std::move(state), std::move(collective), std::move(earlier));
}

}  // namespace carpool::group
