#include "group/planning.hpp"

#include "collectives/choice.hpp"
#include "group/binding.hpp"
#include "group/crowding.hpp"
#include "group/learning.hpp"
#include "group/measure.hpp"

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

/// The cheapest first; the user's choice alone, if there is one.
std::vector<const collectives::Algorithm*> candidates(const Intent& intent, const mpi::Tally& tally,
                                                      int rank) {
    const auto& settings = intent.settings;
    if (settings.algorithm != nullptr) return {settings.algorithm};
    return by_cost({settings.model, ranks_per_core(tally.crowding.most)}, intent.call->problem,
                   rank);
}

/// The channel, as something that is waited for.
struct ChannelOf {
    mpi::Lane& lane;
    bool test() const { return lane.ready(); }
    void wait() const { lane.wait(); }
};

}  // namespace

engine::Steps planned(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent) {
    mpi::Agreement agreement(comm, std::move(intent.claims), intent.mistake, tally_of(intent));
    ChannelOf channel{*lane};
    co_await engine::until(agreement);
    const auto tally = concluded(agreement, intent.together);
    co_await engine::until(channel);
    if (intent.call->unknown_sizes) {
        Learning learning(*lane, tag, intent.call->own_bytes);
        co_await engine::until(learning);
        intent.call->problem.bytes = learning.sizes();
    }
    auto choices = candidates(intent, tally, lane->rank());
    const auto* choice = choices.front();
    if (intent.settings.measure && choices.size() > 1) {
        Measurement measurement(std::move(choices), *intent.call, intent.settings, *lane, tag);
        co_await engine::until(measurement);
        choice = measurement.fastest();
    }
    co_return bound(std::move(intent.call), *choice, intent.settings, *lane, tag);
}

}  // namespace carpool::group
