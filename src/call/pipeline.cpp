// SPDX-License-Identifier: MIT
#include "call/pipeline.hpp"

#include "arguments/operation_claim.hpp"
#include "base/unique_id.hpp"
#include "call/binding.hpp"
#include "call/choice.hpp"
#include "call/context.hpp"
#include "engine/call_scope.hpp"
#include "engine/giving_up.hpp"
#include "engine/steps.hpp"
#include "engine/wait_until.hpp"
#include "mpi/library.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

/// The result of the vote.
VoteResult vote_of(mpi::Agreement& agreement) {
    VoteResult vote{.tally = agreement.tally()};
    try {
        vote.claims = conclude(agreement);
    } catch (const mpi::Error& error) {
        vote.refusal = error;
    }
    return vote;
}

/// The agreement on the statements of all ranks.
mpi::Agreement agreement_on(const Family& family, const CallContext& context) {
    auto [claims, mistake, tally, guesses] = family.statement();
    if (!claims.empty())
        claims.front() = arguments::in_form(std::move(claims.front()), context.ticket.persistent);
    tally.waiting.add(context.ticket.together ? 1 : 0);
    const bool may = context.ticket.together && !mistake && !mpi::is_intel_mpi();
    tally.host.add(may && family.has_host_form() ? 1 : 0);
    if (context.ticket.persistent) tally.drawn = base::unique_id();
    return mpi::Agreement(context.ticket.comm, std::move(claims), mistake, tally, guesses,
                          context.first_vote());
}

/// The agreement on whether all ranks could bind the call.
mpi::Agreement agreement_on(const std::optional<mpi::Error>& mistake, const CallContext& context) {
    return mpi::Agreement(context.ticket.comm, {}, mistake, {}, 0, context.vote());
}

/// Ranks agree on the claims of the family, if it asks for a vote.
engine::Steps<mpi::Tally> agreed(const CallContext& context, Family& family, bool needs_comm) {
    if (!family.votes()) co_return mpi::Tally{};
    std::optional<mpi::CommState::PendingOperation> pending;
    if (!needs_comm)
        pending.emplace(context.ticket.state, context.ticket.comm, &engine::Activity::progress);
    mpi::Agreement agreement = agreement_on(family, context);
    co_await engine::until(agreement);
    co_await engine::until(*context.ticket.state);  // families ask which ranks share memory
    family.agree(vote_of(agreement), context.ticket);
    co_return agreement.tally();
}

/// Bytes for which every rank is assumed to have memory, without a vote.
constexpr std::int64_t little_memory = 1 << 20;

/// Binds the call on this rank. If a rank may lack the memory for it, ranks agree on whether all
/// could.
engine::Steps<std::shared_ptr<BoundCall>> bound_by_all(const CallContext& context, Family& family,
                                                       Choice choice) {
    auto& [candidate, selection] = choice;
    const auto& load = candidate.contender.load;
    const bool may_run_out =
        std::max({load.bytes(), load.temp_bytes, selection.held}) > little_memory;
    std::shared_ptr<BoundCall> result;
    const auto mistake = mpi::mistake_in(
        [&] { result = bind_call(family, std::move(candidate), selection, context); });
    if (family.votes() && may_run_out) {
        mpi::Agreement last = agreement_on(mistake, context);
        co_await engine::until(last);
        last.conclude();
    }
    if (mistake) throw mpi::Error(*mistake);
    co_return result;
}

/// Waits until a blocking or nonblocking call may begin.
struct CallBeginning {
    const mpi::CommState& state;
    std::int64_t sequence_number;
    bool test() const { return sequence_number < state.window().begun(); }
};

/// All that comes before the choice of an algorithm. A mistake in the arguments of any rank is
/// thrown here.
engine::Steps<mpi::Tally> accepted(const CallContext& context, Family& family, bool needs_comm) {
    auto opening = family.opening(context);
    if (opening) co_await std::move(*opening);
    const auto tally = co_await agreed(context, family, needs_comm);
    co_await engine::until(*context.ticket.state);
    auto planning = family.planning(context);
    if (planning) co_await std::move(*planning);
    if (!family.votes()) family.proceed_without_vote(context.ticket);
    co_return tally;
}

/// The host MPI's collective in place of a call.
std::shared_ptr<BoundCall> at_host_instead(const CallContext& context,
                                           HostNonblockingCall::Begin begin) {
    auto call = std::make_shared<BoundCall>();
    call->state = context.ticket.state;
    call->summary.algorithm = engine::host;
    call->communication =
        std::make_unique<HostNonblockingCall>(context.ticket.comm, std::move(begin));
    return call;
}

engine::Steps<std::shared_ptr<engine::ReadyCommunication>> prepared(
    CallContext context, std::unique_ptr<Family> owned, bool needs_comm,
    std::int64_t sequence_number, HostNonblockingCall::Begin otherwise = {}) {
    auto& family = *owned;
    CallBeginning beginning{*context.ticket.state, sequence_number};
    co_await engine::until(beginning);
    mpi::Tally tally;
    try {
        tally = co_await accepted(context, family, needs_comm);
    } catch (const mpi::Error& error) {
        if (context.ticket.state->is_broken()) throw;  // this rank alone has the error
        if (otherwise) co_return at_host_instead(context, std::move(otherwise));
        throw error.before_messages();
    }
    auto choice = co_await choice_of(context, family, tally.host_may());
    const auto operation = choice.selection.operation.values[0];
    auto result = co_await bound_by_all(context, family, std::move(choice));
    result->identity = tally.drawn;
    if (context.plans) context.plans->keep(operation, result->latest_summary());
    family.keep(result);
    co_return result;
}

/// The sequence number of a persistent request, which has none and never waits in line.
constexpr std::int64_t no_sequence_number = -1;

/// Lets a call that waits for the communicator's channel return the error if the channel cannot be
/// made.
class ErrorsOfChannel {
public:
    ErrorsOfChannel(MPI_Comm comm, const mpi::CommState& state) {
        if (!state.has_channel()) returned_.emplace(comm);
    }

private:
    std::optional<mpi::ReturnedErrors> returned_;
};

}  // namespace

std::unique_ptr<engine::Request> persistent(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::unique_ptr<Family> family, Return when) {
    const bool together = when == Return::planned;
    const ErrorsOfChannel returned(comm, *state);
    const auto number = state->next_call();
    mpi::CommState::Tag tag(state, comm, &engine::Activity::progress);
    CallContext context({comm, std::move(state), tag.value(), number, true, together});
    auto steps = std::make_unique<engine::PreparationSteps>(
        prepared(std::move(context), std::move(family), true, no_sequence_number));
    return together
               ? engine::Request::persistent(comm, std::move(tag), std::move(steps))
               : engine::Request::persistent_in_background(comm, std::move(tag), std::move(steps));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                      std::unique_ptr<Family> family, bool needs_comm,
                                      HostNonblockingCall::Begin otherwise) {
    const ErrorsOfChannel returned(comm, *state);
    const auto number = state->next_call();
    mpi::CommState::CallInWindow in_window(state);
    CallContext context({comm, state, in_window.tag(), number, false, false});
    auto steps = std::make_unique<engine::PreparationSteps>(
        prepared(std::move(context), std::move(family), needs_comm, in_window.number(),
                 std::move(otherwise)));
    return engine::Request::once(comm, std::move(state), std::move(in_window), std::move(steps),
                                 needs_comm);
}

namespace {

void run(BoundCall& call, MPI_Comm comm, const mpi::CommState::CallTags& tags) {
    auto& communication = *call.communication;
    communication.start(call.code ? call.state->tag_in(tags, *call.code) : tags.tag);
    const auto unfinished = [&] {
        return engine::UnfinishedCall{
            engine::CallScope::function(),
            comm,
            *call.state,
            tags.number,
            call.code,
            [&](const auto& visit) { communication.visit_awaited(visit); }};
    };
    if (engine::wait_until([&] { return communication.advance(); }, unfinished,
                           communication.only_receives()))
        engine::WaitReport::note_end();
}

}  // namespace

/// Takes the same numbers as ranks that make the call for the first time.
void start_and_wait(MPI_Comm comm, const std::shared_ptr<BoundCall>& call) {
    auto& state = *call->state;
    call->take_stream();
    for (engine::SpinThenYield spin; !state.window().is_open(); spin.wait())
        engine::Activity::progress();
    state.next_call();
    try {
        run(*call, comm, state.next_call_tags());
    } catch (...) {
        engine::give_up(call, state);
        throw;
    }
}

void wait_for(engine::Request& request) {
    const ErrorsOfChannel returned(request.comm(), request.state());
    request.wait();
}

std::unique_ptr<engine::Request> again(MPI_Comm comm, std::shared_ptr<BoundCall> call) {
    auto state = call->state;
    call->take_stream();
    state->next_call();
    mpi::CommState::CallInWindow in_window(state);
    return engine::Request::again(comm, std::move(state), std::move(in_window), std::move(call));
}

/// After the first call, the duplication of the communicator is still under way. Open MPI makes
/// collective calls of its own for it when it progresses, which must not mix with others on comm,
/// so there the call waits for its end.
std::shared_ptr<mpi::CommState> state_for_call(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    if (!mpi::is_open_mpi()) return state;
    engine::wait_until([&] { return state->ready(); },
                       [&] {
                           return engine::UnfinishedCall{
                               engine::CallScope::function(), comm, *state, {}, {}};
                       });
    return state;
}

}  // namespace carpool::call
