#include "call/pipeline.hpp"

#include "call/measurement.hpp"
#include "call/plans.hpp"
#include "call/recent.hpp"
#include "call/votes.hpp"
#include "engine/steps.hpp"
#include "mpi/attribute.hpp"
#include "mpi/library.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::call {

/// What a call needs until it is bound. Looked up when the call begins: comm may be freed before it
/// ends.
struct CallContext {
    explicit CallContext(Ticket t)
        : ticket(std::move(t)),
          votes(mpi::Attribute<VoteTransports>::of(ticket.comm)),
          recent(mpi::Attribute<Recent>::of(ticket.comm)) {}

    /// The first call votes on comm itself, so the vote and the duplication of the channel run at
    /// the same time. Null means that.
    std::shared_ptr<mpi::VoteTransport> first_vote() const {
        return ticket.number == 1 ? nullptr : vote();
    }

    std::shared_ptr<mpi::VoteTransport> vote() const {
        return VoteTransports::lend(votes, ticket.state, ticket.tag);
    }

    Ticket ticket;
    std::shared_ptr<VoteTransports> votes;
    std::shared_ptr<Recent> recent;
};

/// That the channel is there, and the family's turn has come.
struct Admission {
    mpi::CommState& state;
    Family& family;
    bool test() const { return state.ready() && family.may_go_on(); }
};

namespace {

/// A rank may have called the form that returns at once where another waits, by mistake: then
/// nobody talks on.
void conclude(mpi::Agreement& agreement, Family& family, const Ticket& ticket) {
    try {
        const auto claims =
            agreement.tally().all_wait() ? agreement.conclude_together() : agreement.conclude();
        family.agree(claims, agreement.tally(), ticket);
    } catch (const mpi::Error& error) {
        family.refuse(error);
    }
}

/// Those that may be tried: none whose blocks on their way fill a rank's memory, but the simplest.
std::vector<choose::Chosen> to_measure(const std::vector<choose::Candidate>& candidates) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    std::vector<choose::Chosen> result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto load = candidates[i].load();
        if (result.empty() || load.temp_bytes <= most_bytes) result.push_back({i, load});
    }
    return result;
}

/// The candidates that are worth a schedule: the cheapest, or all that are to be measured. Where
/// ranks go on meanwhile, the user's own work would be measured too.
std::vector<choose::Chosen> chosen(Family& family, const Ticket& ticket) {
    const auto candidates = family.candidates();
    if (candidates.size() == 1 || (ticket.together && family.measures()))
        return to_measure(candidates);
    return {choose::PastChoices::all().remembered(
        family.key(), [&] { return choose::cheapest(family.machine(), candidates); })};
}

std::shared_ptr<BoundCall> bound(Family& family, Planned planned, const Ticket& ticket) {
    auto result = std::make_shared<BoundCall>();
    const auto& [number, load] = planned.chosen;
    result->summary = family.summary(number, load);
    result->number = ticket.number;
    result->communication = family.protocol(number, ticket);
    if (!result->communication) {
        auto& schedule = planned.schedule;
        result->summary.messages = schedule::messages_sent(schedule);
        result->summary.bytes = schedule::bytes_sent(schedule);
        const auto buffers = family.buffers(number, schedule, *result);
        const auto tag = ticket.persistent ? std::optional(ticket.tag) : std::nullopt;
        result->communication = engine::exchange_of(*ticket.state, schedule, buffers,
                                                    family.manner(result->summary, tag));
    }
    family.keep(*result);
    return result;
}

/// By which all ranks come to know what each states.
mpi::Agreement agreement_on(const Family& family, const CallContext& context) {
    auto [claims, mistake, tally, guesses] = family.statement();
    tally.waiting.add(context.ticket.together ? 1 : 0);
    return mpi::Agreement(context.ticket.comm, std::move(claims), mistake, tally, guesses,
                          context.first_vote());
}

/// By which all ranks come to know whether one could not bind the call.
mpi::Agreement agreement_on(const std::optional<mpi::Error>& mistake, const CallContext& context) {
    return mpi::Agreement(context.ticket.comm, {}, mistake, {}, 0, context.vote());
}

engine::Steps prepared(CallContext context, std::unique_ptr<Family> owned,
                       std::shared_ptr<BoundCall> earlier, bool needs_comm) {
    auto& family = *owned;
    const auto& ticket = context.ticket;
    const auto& state = *ticket.state;
    if (family.asks()) {
        std::optional<mpi::CommState::Pending> pending;
        if (!needs_comm) pending.emplace(ticket.state, &engine::Activity::progress);
        mpi::Agreement agreement = agreement_on(family, context);
        co_await engine::until(agreement);
        conclude(agreement, family, ticket);
    } else {
        family.take_own_word();
    }
    Admission admission{*ticket.state, family};
    co_await engine::until(admission);
    if (earlier && family.same_plan(*earlier)) co_return earlier;
    if (auto* const lesson = family.lesson(state)) {
        lesson->start(ticket.tag);
        co_await engine::until(*lesson);
        family.learn();
    }
    Plans planning(chosen(family, ticket), family, state, ticket.tag);
    co_await engine::until(planning);
    auto plans = planning.take();
    std::size_t fastest = 0;
    if (plans.size() > 1) {
        Measurement measurement(plans, family, state, ticket.tag);
        co_await engine::until(measurement);
        fastest = measurement.fastest();
    }
    const auto choice = plans[fastest].chosen;
    std::shared_ptr<BoundCall> result;
    const auto mistake =
        mpi::mistake_in([&] { result = bound(family, std::move(plans[fastest]), ticket); });
    if (family.may_run_out(choice.load)) {
        mpi::Agreement last = agreement_on(mistake, context);
        co_await engine::until(last);
        last.conclude();
    }
    if (mistake) throw mpi::Error(*mistake);
    context.recent->calls.keep(family.signature(), result);
    co_return result;
}

}  // namespace

std::unique_ptr<engine::Request> persistent(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::unique_ptr<Family> family, Return when) {
    const bool together = when == Return::planned;
    const auto number = state->next_call();
    mpi::CommState::Tag tag(state, comm, &engine::Activity::progress);
    CallContext context({comm, std::move(state), tag.value(), number, true, together});
    auto steps =
        engine::Steps::begun(prepared(std::move(context), std::move(family), nullptr, true));
    return together
               ? engine::Request::persistent(comm, std::move(tag), std::move(steps))
               : engine::Request::persistent_in_background(comm, std::move(tag), std::move(steps));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                      std::unique_ptr<Family> family,
                                      std::shared_ptr<BoundCall> earlier, bool needs_comm) {
    const auto number = state->next_call();
    const int tag = state->call_tag();
    CallContext context({comm, state, tag, number, false, false});
    auto steps = engine::Steps::begun(
        prepared(std::move(context), std::move(family), std::move(earlier), needs_comm));
    return engine::Request::once(comm, std::move(state), tag, std::move(steps), needs_comm);
}

/// At the first call a duplicate of the communicator is under way behind it. Open MPI's makes
/// collective calls of its own when it is progressed, which must not mix with others' on comm.
std::shared_ptr<mpi::CommState> state_for_call(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    if (mpi::is_open_mpi()) state->wait(&engine::Activity::progress);
    return state;
}

}  // namespace carpool::call
