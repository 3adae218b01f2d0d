// SPDX-License-Identifier: MIT
#include "ordinary/init.hpp"

#include "mpi/attribute.hpp"
#include "ordinary/collective.hpp"
#include "ordinary/filler.hpp"
#include "ordinary/significant.hpp"

#include <optional>
#include <utility>

namespace carpool::ordinary {
namespace {

/// Reads the settings of a communicator at its first call; returns what is wrong with them. Local.
std::optional<mpi::Error> read_settings(CommSettings& comm_settings) {
    if (comm_settings.settings) return std::nullopt;
    return mpi::mistake_in([&] { comm_settings.settings = EnvironmentSettings::read(); });
}

/// Reads the arguments of a call on a communicator whose settings all ranks have agreed on.
void read_again(CollectiveFillArguments& read, MPI_Comm comm, const CollectiveArguments& arguments,
                const mpi::CommState& state) {
    if (read.settings == nullptr) {  // members of the problem that are the same in all calls
        const auto settings = mpi::Attribute<CommSettings>::peek(comm)->settings;
        read.settings = &settings->of.at(arguments.kind);
        auto& problem = read.call.problem;
        problem.segment = read.settings->segment;
        problem.digits = read.settings->digits;
        problem.nodes = state.nodes();
        problem.keeps_empty = true;
    }
    read_call_again(read.call, arguments, state);
}

/// Whether the environment prefers an algorithm that applies to the call.
bool is_preferred(const CollectiveFillArguments& read) {
    const auto* const preferred = read.settings->preferred;
    return preferred != nullptr && preferred->applies(read.call.problem);
}

void keep_for_later(OrdinaryCollective& collective, MPI_Comm comm,
                    const CollectiveArguments& arguments,
                    const std::shared_ptr<mpi::CommState>& state) {
    const auto form = form_of(arguments);
    collective.keep_among(
        KeptCollectives::with(form, comm, state, [&] { return collective.fill_arguments(); }),
        form);
}

CollectiveFiller& filler_of(const call::BoundCall& call) {
    return *static_cast<CollectiveFiller*>(call.read.get());
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

std::uint64_t digest_of(MPI_Comm comm, const CollectiveArguments& arguments) {
    int rank = 0;
    int ranks = 0;
    mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    mpi::check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const auto [sends, receives] = significant(arguments, rank);
    const auto form = form_of(arguments);
    base::Digest digest;
    for (const auto number : {form.function, form.root, form.op}) digest.add(number);
    if (sends && !in_place(arguments.send)) add(digest, arguments.send, ranks);
    if (receives && !in_place(arguments.recv)) add(digest, arguments.recv, ranks);
    return digest.bits();
}

void check_arguments(MPI_Comm comm, const CollectiveArguments& arguments) {
    read_call(arguments, *mpi::CommState::unopened(comm));
}

/// A mistake that this rank has found is thrown before the call is counted, so that its next call
/// takes the place of this one; unless all ranks vote, and so are told.
std::unique_ptr<engine::Request> once(MPI_Comm comm, const CollectiveArguments& arguments,
                                      call::HostNonblockingCall::Begin otherwise) {
    const auto unopened = mpi::CommState::unopened(comm);
    const auto comm_settings = mpi::Attribute<CommSettings>::of(comm);
    const auto mistake = read_settings(*comm_settings);
    const auto settings =
        mistake ? CollectiveSettings{} : comm_settings->settings->of.at(arguments.kind);
    auto collective = std::make_unique<OrdinaryCollective>(*unopened, arguments, settings, mistake);
    const bool first = !comm_settings->begun;
    collective->apply(comm_settings, first);
    if (!collective->votes()) collective->throw_mistake();
    auto state = call::state_for_call(comm);
    if (!collective->has_mistake() && settings.check == arguments::Check::local)
        keep_for_later(*collective, comm, arguments, state);
    collective->take_place();
    constexpr bool needs_comm = true;
    return call::once(comm, std::move(state), std::move(collective), needs_comm,
                      std::move(otherwise));
}

std::shared_ptr<call::BoundCall> filled(MPI_Comm comm, const CollectiveArguments& arguments) {
    const auto form = [&] { return form_of(arguments); };
    return KeptCollectives::found(comm, form, [&](KeptCollectives& all, auto& kept) {
        auto& read = kept.arguments;
        read_again(read, comm, arguments, all.state());
        return all.filled(
            kept, size_class_of(read.call, is_preferred(read)),
            [&](call::BoundCall& call) { return filler_of(call).is_bound_to(read.call); },
            [&](call::BoundCall& call) {
                check_disjoint(read.call, arguments, all.state().rank());
                return filler_of(call).fill(call, read.call);
            });
    });
}

}  // namespace carpool::ordinary
