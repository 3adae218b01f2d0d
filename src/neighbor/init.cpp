// SPDX-License-Identifier: MIT
#include "neighbor/init.hpp"

#include "arguments/shared_memory.hpp"
#include "mpi/attribute.hpp"
#include "neighbor/filler.hpp"
#include "neighbor/known_sizes.hpp"
#include "neighbor/topology/adopt.hpp"

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
struct CheckedArguments {
    std::shared_ptr<CheckedNeighborCall> call = {};
    std::optional<mpi::Error> mistake = {};
};

/// Reads the arguments. Local, so a call with a mistake may still be left out.
/// @param most_pieces  the most pieces of each side that are compared
CheckedArguments checked(const Topology& topology, const NeighborArguments& arguments,
                         std::int64_t most_pieces) {
    CheckedArguments result;
    result.mistake = mpi::mistake_in([&] {
        check_pointers(topology, arguments);
        result.call = read_call(topology, arguments);
        check_disjoint(*result.call, arguments, most_pieces);
    });
    return result;
}

/// What a call is given on a communicator; it carries an Adoption if the communicator has not been
/// adopted. A mistake is kept, to be voted on. An error about the communicator, which is the same
/// on all ranks, is thrown.
/// @param when  when an init returns; nothing for a blocking or nonblocking call
/// @note Collective at the first call on the communicator.
NeighborCollective::CallInput given(MPI_Comm comm, const NeighborArguments& arguments,
                                    MPI_Info info, std::optional<call::Return> when,
                                    CheckedArguments result) {
    const auto topology = topology_of(comm);
    NeighborCollective::CallInput given{topology, {}, arguments.operation, is_uniform(arguments)};
    if (topology->defined()) {
        given.settings = topology->definition().settings;
    } else {
        given.adoption = std::make_unique<Adoption>(comm, *topology, when);
        given.settings = given.adoption->settings();
        given.info = kept(info);
    }
    if (when != call::Return::at_once) given.arguments = arguments;
    given.call = std::move(result.call);
    given.mistake = std::move(result.mistake);
    if (!given.mistake)
        given.mistake = mpi::mistake_in([&] { given.settings = given.settings.with(info); });
    return given;
}

/// Sets among which calls this one is to be kept.
void keep_for_later(NeighborCollective::CallInput& given, MPI_Comm comm,
                    const NeighborArguments& arguments) {
    if (given.mistake) return;
    given.form = form_of(arguments);
    given.kept = KeptNeighborCalls::with(given.form, comm, given.topology->state(), [&] {
        NeighborFillArguments read{given.topology, *given.call};
        read.agreed.block_bytes.reserve(given.call->buffers.send.size() + 1);
        return read;
    });
}

/// Reads the arguments of a call on a communicator that all ranks have adopted.
/// @pre check_pointers
void read_again(NeighborFillArguments& read, const NeighborArguments& arguments) {
    const auto& topology = *read.topology;
    read_call_again(read.call, topology, arguments);
    const KnownSizes sizes(topology, arguments.operation, read.call.uniform, &read.call);
    sizes.find_without_vote(read.agreed);
}

/// Whether a call is bound for these arguments alone, as it takes long to fill them in.
bool deserves_own(const CheckedNeighborCall& call, KeptNeighborCalls& all,
                  const KeptNeighborCalls::KeptForm& kept) {
    const auto& buffers = call.buffers;
    return (mpi::have_many_pieces(buffers.send) || mpi::have_many_pieces(buffers.recv)) &&
           all.has_few(kept);
}

}  // namespace

std::shared_ptr<call::BoundCall> filled(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto form = [&] { return form_of(arguments); };
    return KeptNeighborCalls::found(comm, form, [&](KeptNeighborCalls& all, auto& kept) {
        auto& read = kept.arguments;
        check_pointers(*read.topology, arguments);
        const auto class_if_noted = [&](const call::BoundCall& call) {
            return filler_of(call).class_if_noted(arguments);
        };
        if (auto repeated = all.repeated(kept, class_if_noted)) return repeated;
        read_again(read, arguments);
        const auto size_class = size_class_of(read.call, read.agreed);
        return all.filled(
            kept, size_class,
            [&](call::BoundCall& call) {
                const bool is_bound = filler_of(call).is_bound_to(read.call);
                if (is_bound) filler_of(call).note(arguments, read.call, size_class);
                return is_bound;
            },
            [&](call::BoundCall& call) {
                if (deserves_own(read.call, all, kept)) return false;
                check_disjoint(read.call, arguments, few_pieces(*read.topology));
                return filler_of(call).fill(call, read.call, read.agreed);
            });
    });
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, NeighborCollective::CallInput given,
                                             call::Return when) {
    given.persistent = true;
    auto state = given.topology->state();
    return call::persistent(comm, std::move(state),
                            std::make_unique<NeighborCollective>(std::move(given)), when);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, NeighborCollective::CallInput given,
                                      call::HostNonblockingCall::Begin otherwise) {
    auto state = given.topology->state();
    constexpr bool needs_comm = true;
    return call::once(comm, std::move(state),
                      std::make_unique<NeighborCollective>(std::move(given)), needs_comm,
                      std::move(otherwise));
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const NeighborArguments& arguments,
                                             MPI_Info info, call::Return when) {
    auto result = checked(*read_topology_of(comm), arguments, arguments::many_pieces);
    return initialised(comm, given(comm, arguments, info, when, std::move(result)), when);
}

std::uint64_t digest_of(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto topology = read_topology_of(comm);
    const auto form = form_of(arguments);
    base::Digest digest;
    for (const auto number : {form.function, form.op}) digest.add(number);
    add(digest, arguments.send, sent_blocks(*topology, arguments.operation));
    add(digest, arguments.recv, topology->indegree());
    return digest.bits();
}

void check_arguments(MPI_Comm comm, const NeighborArguments& arguments) {
    const auto topology = read_topology_of(comm);
    const auto result = checked(*topology, arguments, few_pieces(*topology));
    if (result.mistake) throw mpi::Error(*result.mistake);
}

/// A mistake that this rank has found is thrown before the call is counted, so that its next call
/// takes the place of this one; unless all ranks are to be told (carpool_check=all).
std::unique_ptr<engine::Request> once(MPI_Comm comm, const NeighborArguments& arguments,
                                      call::HostNonblockingCall::Begin otherwise) {
    const auto topology = read_topology_of(comm);
    auto result = checked(*topology, arguments, few_pieces(*topology));
    if (result.mistake && settings_before_adoption(*topology).check == arguments::Check::local)
        throw mpi::Error(*result.mistake);
    auto made = given(comm, arguments, MPI_INFO_NULL, std::nullopt, std::move(result));
    if (made.settings.check == arguments::Check::local) keep_for_later(made, comm, arguments);
    return once(comm, std::move(made), std::move(otherwise));
}

}  // namespace carpool::neighbor
