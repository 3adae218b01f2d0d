#include "group/init.hpp"

#include "group/in_place.hpp"
#include "group/planning.hpp"
#include "group/recent.hpp"
#include "mpi/attribute.hpp"
#include "mpi/library.hpp"

#include <string>
#include <utility>

namespace carpool::group {
namespace {

using mpi::Error;

/// Where the user asks for an algorithm that does not solve the problem.
void check_algorithm(const Settings& settings, const collectives::Problem& problem) {
    if (settings.algorithm == nullptr || settings.algorithm->applies(problem)) return;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(problem.kind))
        if (algorithm.applies(problem)) names += std::string(algorithm.name) + ", ";
    throw Error(MPI_ERR_INFO_VALUE,
                "carpool_algorithm is '" + std::string(settings.algorithm->name) +
                    "', which does not apply to this call, expected " + names + "or auto");
}

void make_claims(Intent& intent, const Arguments& arguments) {
    intent.claims = claims_of(arguments, *intent.call);
    for (auto& claim : intent.settings.claims()) intent.claims.push_back(std::move(claim));
}

/// A mistake in the arguments is kept, to be agreed upon.
Intent intent_of(const Arguments& arguments, MPI_Info info, Place place) {
    Intent intent;
    intent.mistake = mpi::mistake_in([&] {
        intent.settings = Settings::of(arguments.kind, info);
        intent.call = std::make_shared<Call>(read_call(arguments, place, mpi::private_self()));
        intent.call->problem.segment = intent.settings.segment;
        intent.call->problem.digits = intent.settings.digits;
        intent.settings.prefer_for(intent.call->problem);
        check_algorithm(intent.settings, intent.call->problem);
        make_claims(intent, arguments);
    });
    return intent;
}

/// Of an alltoall; none where a type is derived.
call::Signature signature_of(const Arguments& arguments, const Settings& settings, int ranks) {
    const auto& [kind, send, recv, root, op] = arguments;
    call::Signature signature{static_cast<std::int64_t>(kind), recv.varying_counts,
                              recv.varying_types, call::bits_of(send.buffer)};
    for (const auto& claim : settings.claims())
        signature.insert(signature.end(), claim.values.begin(), claim.values.end());
    for (const auto* side : {&send, &recv}) {
        if (in_place(*side)) continue;
        call::check_arrays(*side, ranks);
        if (!call::sign(signature, *side, ranks)) return {};
    }
    return signature;
}

/// The latest call with the same arguments is not read again. @note Local.
Intent recent_or_new(MPI_Comm comm, const Arguments& arguments, Place place) {
    Intent intent;
    intent.mistake = mpi::mistake_in([&] {
        intent.settings = Settings::of(arguments.kind, MPI_INFO_NULL);
        intent.signature = signature_of(arguments, intent.settings, place.ranks);
        intent.known = mpi::Attribute<Recent>::of(comm)->calls.find(intent.signature);
        if (!intent.known) return;
        intent.call = intent.known->call;
        intent.settings.prefer_for(intent.call->problem);
        make_claims(intent, arguments);
    });
    if (intent.known || intent.mistake) return intent;
    auto signature = std::move(intent.signature);
    intent = intent_of(arguments, MPI_INFO_NULL, place);
    intent.signature = std::move(signature);
    return intent;
}

/// At the first call a duplicate of the communicator is under way behind it. Open MPI's makes
/// collective calls of its own when it is progressed, which must not mix with others' on comm.
std::shared_ptr<mpi::CommState> state_of(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    if (mpi::is_open_mpi()) state->wait(&engine::Activity::progress);
    return state;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, Return when) {
    auto state = state_of(comm);
    auto intent = intent_of(arguments, info, {state->rank(), state->size()});
    intent.together = when == Return::planned;
    intent.settings.assert_matching = false;     // an init is collective anyway
    intent.settings.measure &= intent.together;  // else the user's own work would be measured too
    const auto number = state->next_call();
    intent.first = number == 1;
    mpi::CommState::Tag tag(state, comm, &engine::Activity::progress);
    auto planning = engine::Steps::begun(
        planned({comm, std::move(state), tag.value(), number}, std::move(intent)));
    return when == Return::planned
               ? engine::Request::persistent(comm, std::move(tag), std::move(planning))
               : engine::Request::persistent_in_background(comm, std::move(tag),
                                                           std::move(planning));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments) {
    auto state = state_of(comm);
    auto intent = recent_or_new(comm, arguments, {state->rank(), state->size()});
    intent.persistent = false;
    intent.together = false;
    intent.settings.measure = false;
    const auto number = state->next_call();
    intent.first = number == 1;
    const int tag = state->call_tag();
    auto planning = engine::Steps::begun(planned({comm, state, tag, number}, std::move(intent)));
    return engine::Request::once(comm, std::move(state), tag, std::move(planning));
}

}  // namespace carpool::group
