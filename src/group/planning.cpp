#include "group/planning.hpp"

#include "collectives/remembered.hpp"
#include "group/learning.hpp"
#include "group/measure.hpp"
#include "group/plans.hpp"
#include "group/recent.hpp"
#include "group/vote_transports.hpp"
#include "mpi/attribute.hpp"
#include "mpi/oversubscription.hpp"

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
    tally.oversubscription.add(mpi::oversubscription());
    tally.waiting.add(intent.together ? 1 : 0);
    if (intent.mistake) return tally;
    const auto& call = *intent.call;
    tally.balance = call.balance;
    tally.bytes.add(bytes_of(call));
    tally.degree.add(call.degree);
    tally.flow.add(call.flow);
    tally.entry.add(intent.known ? intent.known->number : -1);
    return tally;
}

/// A rank may have called the form that returns at once where another waits, by mistake: then
/// nobody talks on.
void conclude(mpi::Agreement& agreement) {
    if (agreement.tally().all_wait())
        agreement.conclude_together();
    else
        agreement.conclude();
    if (agreement.tally().balance != 0)
        throw mpi::Error(MPI_ERR_ARG,
                         "the bytes that some rank sends to another are not those that it expects: "
                         "counts and datatypes of both must say the same");
}

/// Is what was bound before the same for all other ranks too? Where blocks differ, those of others
/// decide which algorithm there is to be, and what passes this rank; who asks nobody cannot know.
bool is_known(const Intent& intent, const mpi::Tally& tally) {
    if (!intent.known || !intent.call->problem.varies()) return intent.known != nullptr;
    if (intent.settings.assert_matching) return !intent.settings.algorithm->forwards;
    return tally.one_entry();
}

/// The problem by which all ranks choose: where blocks differ it has equal ones, as many bytes as
/// the busiest rank has.
collectives::Problem choosable(const collectives::Problem& problem, const mpi::Tally& tally) {
    if (!problem.varies()) return problem;
    const auto flow = std::max<std::int64_t>(0, tally.flow.most);
    auto equal = problem.with_equal_blocks((flow + problem.ranks - 1) / problem.ranks);
    equal.degree = std::max<std::int64_t>(0, tally.degree.most);
    return equal;
}

/// Those that may be tried: none whose blocks on their way fill a rank's memory, but the simplest.
std::vector<collectives::Choice> candidates(const collectives::Problem& problem) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    std::vector<collectives::Choice> result;
    for (const auto* algorithm : collectives::applicable(problem)) {
        const auto load = collectives::load_of(*algorithm, problem);
        if (result.empty() || load.temp_bytes <= most_bytes) result.push_back({algorithm, load});
    }
    return result;
}

/// What there is to try, or the one to take.
/// @param problem  choosable
std::vector<collectives::Choice> choices(const Settings& settings,
                                         const collectives::Problem& problem,
                                         const mpi::Tally& tally) {
    if (const auto* told = settings.algorithm) return {{told, load_of(*told, problem)}};
    if (settings.measure) return candidates(problem);
    return {remembered_cheapest({settings.model, mpi::ranks_per_core(tally.oversubscription.most)},
                                problem)};
}

/// Where nobody asks the others, sizes of blocks that differ are known to their two ends alone.
void go_straight_unless_told(Settings& settings, const collectives::Problem& problem) {
    if (settings.algorithm == nullptr && problem.varies())
        settings.algorithm = &collectives::algorithms(problem.kind).front();
}

/// An exchange, or why this rank cannot have it.
struct Attempt {
    std::shared_ptr<Bound> bound;
    std::optional<mpi::Error> mistake;
};

Attempt attempted(const Intent& intent, Plan plan, const Ticket& ticket) {
    Attempt attempt;
    attempt.mistake = mpi::mistake_in([&] {
        const auto tag = intent.persistent ? std::optional(ticket.tag) : std::nullopt;
        attempt.bound = bound(intent.call, std::move(plan), intent.settings, *ticket.state, tag);
        attempt.bound->number = ticket.number;
    });
    return attempt;
}

/// Copies of blocks and blocks on their way may take so much memory that not every rank has it.
bool may_fail(const collectives::Choice& choice, const mpi::Tally& tally) {
    constexpr std::int64_t little = 1 << 20;
    return choice.load.temp_bytes > little || tally.bytes.most > little;
}

/// The channel, as something that is waited for.
struct ChannelOf {
    mpi::CommState& state;
    bool test() const { return state.ready(); }
};

}  // namespace

engine::Steps planned(Ticket ticket, Intent intent) {
    const auto& [comm, state, tag, number] = ticket;
    const auto transports = mpi::Attribute<VoteTransports>::of(comm);
    const auto recent = mpi::Attribute<Recent>::of(comm);
    auto tally = tally_of(intent);
    if (intent.settings.assert_matching) {
        if (intent.mistake) throw *intent.mistake;
        go_straight_unless_told(intent.settings, intent.call->problem);
    } else {
        // The first on a communicator needs no channel for it: nobody waits longer than for both
        mpi::Agreement agreement(
            comm, std::move(intent.claims), intent.mistake, tally, 0,
            intent.first ? nullptr : VoteTransports::lend(transports, state, tag));
        co_await engine::until(agreement);
        conclude(agreement);
        tally = agreement.tally();
    }
    ChannelOf channel{*state};
    co_await engine::until(channel);
    if (is_known(intent, tally)) co_return intent.known;
    auto& problem = intent.call->problem;
    if (intent.call->unknown_sizes) {
        Learning learning(*state, tag, intent.call->own_bytes);
        co_await engine::until(learning);
        problem.bytes = learning.sizes();
    }
    Plans planning(choices(intent.settings, choosable(problem, tally), tally), problem, *state,
                   tag);
    co_await engine::until(planning);
    auto plans = planning.take();
    if (plans.size() > 1) {
        Measurement measurement(std::move(plans), *intent.call, intent.settings, *state, tag);
        co_await engine::until(measurement);
        plans = {measurement.fastest()};
    }
    const auto choice = plans.front().choice;
    auto attempt = attempted(intent, std::move(plans.front()), ticket);
    if (may_fail(choice, tally)) {
        mpi::Agreement last(comm, {}, attempt.mistake, {}, 0,
                            VoteTransports::lend(transports, state, tag));
        co_await engine::until(last);
        last.conclude();
    }
    if (attempt.mistake) throw *attempt.mistake;
    recent->calls.keep(std::move(intent.signature), attempt.bound);
    co_return attempt.bound;
}

}  // namespace carpool::group
