#include "group/planning.hpp"

#include "collectives/remembered.hpp"
#include "group/binding.hpp"
#include "group/crowding.hpp"
#include "group/learning.hpp"
#include "group/measure.hpp"
#include "group/urn.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::group {
namespace {

/// Of all blocks of this rank; far too many to hold are as many as can be said.
std::int64_t bytes_of(const Call& call) {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    std::int64_t bytes = 0;
    for (const auto* side : {&call.send, &call.recv})
        for (const auto& block : *side) bytes = std::min(most, bytes + block.shape->bytes());
    return bytes;
}

mpi::Tally tally_of(const Intent& intent) {
    mpi::Tally tally;
    tally.crowding.add(crowding());
    tally.waiting.add(intent.together ? 1 : 0);
    if (intent.mistake) return tally;
    tally.balance = intent.call->balance;
    tally.bytes.add(bytes_of(*intent.call));
    return tally;
}

/// A rank may have called the form that returns at once where another waits, by mistake: then
/// nobody talks on. @return  what all ranks say
mpi::Tally concluded(mpi::Agreement& agreement) {
    if (agreement.tally().all_wait())
        agreement.conclude_together();
    else
        agreement.conclude();
    if (agreement.tally().balance != 0)
        throw mpi::Error(MPI_ERR_ARG,
                         "the bytes that some rank sends to another are not those that it expects: "
                         "counts and datatypes of both must say the same");
    return agreement.tally();
}

/// Those that may be tried: none whose blocks on their way fill a rank's memory, but the simplest.
std::vector<const collectives::Algorithm*> candidates(const collectives::Problem& problem,
                                                      int rank) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    auto result = collectives::applicable(problem);
    result.erase(
        std::remove_if(result.begin() + 1, result.end(),
                       [&](const auto* algorithm) {
                           return collectives::load_of(*algorithm, problem, rank).temp_bytes >
                                  most_bytes;
                       }),
        result.end());
    return result;
}

collectives::Choice chosen(const Intent& intent, const collectives::Algorithm* measured,
                           double ranks_per_core, int rank) {
    const auto& problem = intent.call->problem;
    const auto* algorithm = measured != nullptr ? measured : intent.settings.algorithm;
    if (algorithm != nullptr) return {algorithm, load_of(*algorithm, problem, rank)};
    return remembered_cheapest({intent.settings.model, ranks_per_core}, problem, rank);
}

/// An exchange, or why this rank cannot have it.
struct Attempt {
    std::shared_ptr<engine::Prepared> prepared;
    std::optional<mpi::Error> mistake;
};

Attempt attempted(const Intent& intent, const collectives::Choice& choice, const mpi::Lane& lane,
                  int tag) {
    Attempt attempt;
    attempt.mistake = mpi::mistake_in(
        [&] { attempt.prepared = bound(intent.call, choice, intent.settings, lane, tag); });
    return attempt;
}

/// Copies of blocks and blocks on their way may take so much memory that not every rank has it.
bool may_fail(const collectives::Choice& choice, const mpi::Tally& tally) {
    constexpr std::int64_t little = 1 << 20;
    return choice.load.temp_bytes > little || tally.bytes.most > little;
}

/// The channel, as something that is waited for.
struct ChannelOf {
    mpi::Lane& lane;
    bool test() const { return lane.ready(); }
};

}  // namespace

engine::Steps planned(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent) {
    const auto urns = Urns::of(comm);
    // The first on a communicator needs no channel for it: nobody waits longer than for both
    mpi::Agreement agreement(comm, std::move(intent.claims), intent.mistake, tally_of(intent), 0,
                             intent.first ? nullptr : Urns::lend(urns, lane, tag));
    ChannelOf channel{*lane};
    co_await engine::until(agreement);
    const auto tally = concluded(agreement);
    co_await engine::until(channel);
    if (intent.call->unknown_sizes) {
        Learning learning(*lane, tag, intent.call->own_bytes);
        co_await engine::until(learning);
        intent.call->problem.bytes = learning.sizes();
    }
    const collectives::Algorithm* measured = nullptr;
    if (intent.settings.algorithm == nullptr && intent.settings.measure) {
        Measurement measurement(candidates(intent.call->problem, lane->rank()), *intent.call,
                                intent.settings, *lane, tag);
        co_await engine::until(measurement);
        measured = measurement.fastest();
    }
    const auto choice = chosen(intent, measured, ranks_per_core(tally.crowding.most), lane->rank());
    auto attempt = attempted(intent, choice, *lane, tag);
    if (may_fail(choice, tally)) {
        mpi::Agreement last(comm, {}, attempt.mistake, {}, 0, Urns::lend(urns, lane, tag));
        co_await engine::until(last);
        last.conclude();
    }
    if (attempt.mistake) throw *attempt.mistake;
    co_return attempt.prepared;
}

}  // namespace carpool::group
