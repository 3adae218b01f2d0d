#include "group/planning.hpp"

#include "collectives/remembered.hpp"
#include "group/binding.hpp"
#include "group/crowding.hpp"
#include "group/learning.hpp"
#include "group/measure.hpp"
#include "group/urn.hpp"

#include <utility>

namespace carpool::group {
namespace {

mpi::Tally tally_of(const Intent& intent) {
    mpi::Tally tally;
    tally.crowding.add(crowding());
    if (!intent.mistake) tally.balance = intent.call->balance;
    return tally;
}

/// @return  what all ranks say
mpi::Tally concluded(mpi::Agreement& agreement, bool together) {
    if (together)
        agreement.conclude_together();
    else
        agreement.conclude();
    if (agreement.tally().balance != 0)
        throw mpi::Error(MPI_ERR_ARG,
                         "the bytes that some rank sends to another are not those that it expects: "
                         "counts and datatypes of both must say the same");
    return agreement.tally();
}

/// The channel, as something that is waited for.
struct ChannelOf {
    mpi::Lane& lane;
    bool test() const { return lane.ready(); }
};

}  // namespace

engine::Steps planned(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent) {
    // The first on a communicator needs no channel for it: nobody waits longer than for both
    auto urn = intent.first ? nullptr : Urns::lend(Urns::of(comm), lane, tag);
    mpi::Agreement agreement(comm, std::move(intent.claims), intent.mistake, tally_of(intent), 0,
                             std::move(urn));
    ChannelOf channel{*lane};
    co_await engine::until(agreement);
    const auto tally = concluded(agreement, intent.together);
    co_await engine::until(channel);
    if (intent.call->unknown_sizes) {
        Learning learning(*lane, tag, intent.call->own_bytes);
        co_await engine::until(learning);
        intent.call->problem.bytes = learning.sizes();
    }
    const auto& problem = intent.call->problem;
    const auto& settings = intent.settings;
    const auto* algorithm = settings.algorithm;
    if (algorithm == nullptr && settings.measure) {
        Measurement measurement(collectives::applicable(problem), *intent.call, settings, *lane,
                                tag);
        co_await engine::until(measurement);
        algorithm = measurement.fastest();
    }
    const collectives::Machine machine{settings.model, ranks_per_core(tally.crowding.most)};
    const auto choice = algorithm != nullptr
                            ? collectives::Choice{algorithm, collectives::load_of(
                                                                 *algorithm, problem, lane->rank())}
                            : collectives::remembered_cheapest(machine, problem, lane->rank());
    co_return bound(std::move(intent.call), choice, settings, *lane, tag);
}

}  // namespace carpool::group
