// SPDX-License-Identifier: MIT
#include "bundle/init.hpp"

#include "base/expects.hpp"
#include "bundle/bundle.hpp"
#include "call/pipeline.hpp"
#include "engine/opened_state.hpp"
#include "engine/spin_then_yield.hpp"
#include "mpi/handle.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace carpool::bundle {
namespace {

using mpi::CommState;
using mpi::Error;

/// The processes of a communicator in the order of its ranks, even if the communicator has been
/// freed.
mpi::Group group_of(const CommState& state) {
    std::vector<int> channel_ranks(static_cast<std::size_t>(state.size()));
    std::iota(channel_ranks.begin(), channel_ranks.end(), 0);
    for (auto& rank : channel_ranks) rank = state.channel_rank(rank);
    mpi::Group all;
    mpi::check(MPI_Comm_group(state.channel_comm(), all.out()), "MPI_Comm_group");
    mpi::Group group;
    mpi::check(MPI_Group_incl(all.get(), state.size(), channel_ranks.data(), group.out()),
               "MPI_Group_incl");
    return group;
}

bool same_ranks(const CommState& one, const CommState& other) {
    if (&one == &other) return true;
    if (one.size() != other.size()) return false;
    const auto group = group_of(one);
    const auto other_group = group_of(other);
    int result = MPI_UNEQUAL;
    mpi::check(MPI_Group_compare(group.get(), other_group.get(), &result), "MPI_Group_compare");
    return result == MPI_IDENT;
}

/// Waits for a request that is planned in the background.
std::shared_ptr<engine::ReadyCommunication> prepared(const engine::Request& request,
                                                     const std::string& name) {
    try {
        for (engine::SpinThenYield spin;; spin.wait()) {
            if (auto prepared = request.prepared()) return prepared;
            engine::Activity::progress();
        }
    } catch (const Error& error) {
        throw Error(error.error_class(), name + " was refused (" + error.what() +
                                             "), expected a request that can be started");
    }
}

Member member_of(const GivenRequest& given, const std::string& name, const CommState& state) {
    const auto& [request, instead] = given;
    if (request == nullptr)
        throw Error(MPI_ERR_REQUEST, name + " is " + instead + ", expected a persistent request");
    if (request->active())
        throw Error(MPI_ERR_REQUEST, name + " is active, expected an inactive request");
    auto member = std::dynamic_pointer_cast<const call::BoundCall>(prepared(*request, name));
    CARPOOL_EXPECTS(member && member->blueprint);
    if (!same_ranks(*member->state, state))
        throw Error(MPI_ERR_REQUEST, name +
                                         " is on a communicator of other ranks than comm has, "
                                         "or in another order, expected the same");
    return member;
}

std::vector<Member> members_of(const BundleArguments& arguments, const CommState& state) {
    const auto& [n, requests] = arguments;
    mpi::check_at_least("n", n, 0, MPI_ERR_COUNT);
    if (n > 0 && requests == nullptr)
        throw Error(MPI_ERR_ARG, "requests is a null pointer, expected an array of " +
                                     std::to_string(n) + " requests");
    std::vector<Member> members;
    for (int i = 0; i < n; ++i)
        members.push_back(member_of(requests[i], mpi::element("requests", i), state));
    return members;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const BundleArguments& arguments,
                                             MPI_Info info) {
    auto state = engine::opened_state(comm);
    auto tuning = arguments::Tuning::of_this_mpi(choose::MessageUse::neighborhoods);
    std::vector<Member> members;
    const auto mistake = mpi::mistake_in([&] {
        tuning.take(arguments::in_environment());
        if (info != MPI_INFO_NULL) tuning.take(arguments::in_info(info));
        members = members_of(arguments, *state);
    });
    if (mistake) members.clear();
    auto bundle = std::make_unique<Bundle>(arguments.n, state->rank(), std::move(members),
                                           std::move(tuning), mistake);
    auto request =
        call::persistent(comm, std::move(state), std::move(bundle), call::Return::planned);
    for (int i = 0; i < arguments.n; ++i) request->keep_ops_of(*arguments.requests[i].request);
    return request;
}

}  // namespace carpool::bundle
