#include "call/pipeline.hpp"

#include "call/measurement.hpp"
#include "call/plans.hpp"
#include "call/refusals.hpp"
#include "call/sites.hpp"
#include "call/votes.hpp"
#include "call/watched.hpp"
#include "engine/spin_then_yield.hpp"
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
          sites(ticket.persistent ? mpi::Attribute<Sites>::of(ticket.comm) : nullptr),
          refusals(refusals_of(ticket)) {}

    /// The first call votes on comm itself, so the vote and the duplication of the channel run at
    /// the same time. Null means that.
    std::shared_ptr<mpi::VoteTransport> first_vote() const {
        return ticket.number == 1 ? nullptr : vote();
    }

    std::shared_ptr<mpi::VoteTransport> vote() const {
        return VoteTransports::lend(votes, ticket.state, ticket.tag);
    }

    /// Of calls that end once.
    static std::shared_ptr<Refusals> refusals_of(const Ticket& ticket) {
        if (ticket.persistent) return nullptr;
        return mpi::Attribute<Refusals>::of(ticket.comm, ticket.state);
    }

    Ticket ticket;
    std::shared_ptr<VoteTransports> votes;
    std::shared_ptr<Sites> sites;  ///< of inits
    std::shared_ptr<Refusals> refusals;
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
        family.refuse(error, agreement.tally());
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

/// Which candidates are worth a schedule, and where to remember what comes of it.
struct Contest {
    std::vector<choose::Chosen> candidates;
    Sites::Key site = {};
};

/// The cheapest candidate, the one that was fastest at this site before, or all that are to be
/// measured. Where ranks go on meanwhile, the user's own work would be measured too.
Contest contest(Family& family, const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto candidates = family.candidates();
    if (candidates.size() == 1) return {to_measure(candidates)};
    auto site = context.sites ? Sites::key_of(family, candidates) : Sites::Key();
    if (const auto known = context.sites ? context.sites->known(site, ticket.number) : std::nullopt)
        return {{{*known, candidates[*known].load()}}};
    if (ticket.together && family.measures()) return {to_measure(candidates), std::move(site)};
    return {{choose::PastChoices::all().remembered(
        family.key(), [&] { return choose::cheapest(family.machine(), candidates); })}};
}

/// The exchange of a schedule. One that ends once says what it is: other ranks may not do the same.
std::unique_ptr<engine::Communication> exchange_for(const std::shared_ptr<BoundCall>& bound,
                                                    Family& family, Planned& planned,
                                                    const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto number = planned.chosen.number;
    auto buffers = family.buffers(number, planned.schedule, *bound);
    const auto tag = ticket.persistent ? std::optional(ticket.tag) : std::nullopt;
    auto manner = family.manner(bound->summary, tag);
    const auto code = ticket.persistent ? std::nullopt : family.code(number);
    manner.checked = code.has_value();
    auto exchange = engine::exchange_of(*ticket.state, planned.schedule, buffers, manner);
    if (ticket.persistent) {
        bound->tag = ticket.tag;
        bound->blueprint = {std::move(planned.schedule), std::move(buffers)};
    }
    if (!code) return exchange;
    auto watched =
        std::make_unique<Watched>(std::move(exchange), *code, ticket.state, context.refusals);
    watched->belongs_to(bound);
    return watched;
}

std::shared_ptr<BoundCall> bound(Family& family, Planned planned, const CallContext& context) {
    auto result = std::make_shared<BoundCall>();
    const auto& [number, load] = planned.chosen;
    result->state = context.ticket.state;
    result->summary = family.summary(number, load);
    result->communication = family.protocol(number, context.ticket);
    if (!result->communication) {
        result->summary.messages = schedule::messages_sent(planned.schedule);
        result->summary.bytes = schedule::bytes_sent(planned.schedule);
        result->communication = exchange_for(result, family, planned, context);
    }
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

/// Where nobody asks, what is wrong on one rank is told to all: nothing will come from there.
void tell(const mpi::Error& error, const Family& family, const CallContext& context) {
    if (context.refusals && !family.asks() && family.code(0))
        context.refusals->tell(context.ticket.state->number_of(context.ticket.tag), error);
}

engine::Steps prepared(CallContext context, std::unique_ptr<Family> owned, bool needs_comm) {
    auto& family = *owned;
    const auto& ticket = context.ticket;
    const auto& state = *ticket.state;
    try {
        if (family.asks()) {
            std::optional<mpi::CommState::Pending> pending;
            if (!needs_comm) pending.emplace(ticket.state, &engine::Activity::progress);
            mpi::Agreement agreement = agreement_on(family, context);
            co_await engine::until(agreement);
            conclude(agreement, family, ticket);
        }
        Admission admission{*ticket.state, family};
        co_await engine::until(admission);
        if (!family.asks()) family.take_own_word();
        if (auto* const lesson = family.lesson(state)) {
            lesson->start(ticket.tag);
            co_await engine::until(*lesson);
            family.learn();
        }
        auto [candidates, site] = contest(family, context);
        Plans planning(std::move(candidates), family, state, ticket.tag);
        co_await engine::until(planning);
        auto plans = planning.take();
        std::size_t fastest = 0;
        if (plans.size() > 1) {
            Measurement measurement(plans, family, state, ticket.tag);
            co_await engine::until(measurement);
            fastest = measurement.fastest();
        }
        const auto choice = plans[fastest].chosen;
        if (context.sites) context.sites->keep(std::move(site), choice.number, ticket.number);
        std::shared_ptr<BoundCall> result;
        const auto mistake =
            mpi::mistake_in([&] { result = bound(family, std::move(plans[fastest]), context); });
        if (family.asks() && family.may_run_out(choice.load)) {
            mpi::Agreement last = agreement_on(mistake, context);
            co_await engine::until(last);
            last.conclude();
        }
        if (mistake) throw mpi::Error(*mistake);
        family.keep(result);
        co_return result;
    } catch (const mpi::Error& error) {
        tell(error, family, context);
        throw;
    }
}

}  // namespace

std::unique_ptr<engine::Request> persistent(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::unique_ptr<Family> family, Return when) {
    const bool together = when == Return::planned;
    const auto number = state->next_call();
    mpi::CommState::Tag tag(state, comm, &engine::Activity::progress);
    CallContext context({comm, std::move(state), tag.value(), number, true, together});
    auto steps = engine::Steps::begun(prepared(std::move(context), std::move(family), true));
    return together
               ? engine::Request::persistent(comm, std::move(tag), std::move(steps))
               : engine::Request::persistent_in_background(comm, std::move(tag), std::move(steps));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                      std::unique_ptr<Family> family, bool needs_comm) {
    const auto number = state->next_call();
    const int tag = state->next_turn().tag;
    CallContext context({comm, state, tag, number, false, false});
    auto steps = engine::Steps::begun(prepared(std::move(context), std::move(family), needs_comm));
    return engine::Request::once(comm, std::move(state), tag, std::move(steps), needs_comm);
}

namespace {

/// Calls are numbered alike on ranks that do them for the first time.
int next_tag(mpi::CommState& state) {
    state.next_call();
    return state.next_turn().tag;
}

}  // namespace

void start_and_wait(const BoundCall& call) {
    auto& communication = *call.communication;
    communication.start(next_tag(*call.state));
    for (engine::SpinThenYield spin; !communication.advance(); spin.wait())
        engine::Activity::progress();
}

std::unique_ptr<engine::Request> again(MPI_Comm comm, std::shared_ptr<BoundCall> call) {
    auto state = call->state;
    const int tag = next_tag(*state);
    return engine::Request::again(comm, std::move(state), tag, std::move(call));
}

/// At the first call a duplicate of the communicator is under way behind it. Open MPI's makes
/// collective calls of its own when it is progressed, which must not mix with others' on comm.
std::shared_ptr<mpi::CommState> state_for_call(MPI_Comm comm) {
    auto state = mpi::CommState::of(comm);
    if (mpi::is_open_mpi()) state->wait(&engine::Activity::progress);
    return state;
}

}  // namespace carpool::call
