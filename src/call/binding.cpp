// SPDX-License-Identifier: MIT
#include "call/binding.hpp"

#include "engine/mirrored_communication.hpp"
#include "report/timed_communication.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace carpool::call {
namespace {

/// Binds a schedule to an exchange.
std::unique_ptr<engine::Communication> exchange_of(BoundCall& bound, const Family& family,
                                                   CandidateSchedule& candidate,
                                                   const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto number = candidate.contender.number;
    const auto tag = ticket.persistent ? std::optional(ticket.tag) : std::nullopt;
    auto [buffers, manner] = family.parts(number, candidate.schedule, bound, tag);
    if (candidate.contender.swapped_transport) manner.transport = engine::TransportChoice::other;
    manner.checked = !ticket.persistent && family.code(number).has_value();
    std::unique_ptr<engine::Mirror> mirror;
    if (engine::Mirror::is_needed(buffers))
        mirror = std::make_unique<engine::Mirror>(schedule::SlotUse(candidate.schedule), buffers);
    auto exchange = engine::exchange_of(*ticket.state, candidate.schedule,
                                        mirror ? mirror->buffers() : buffers, manner);
    bound.exchange = exchange.get();
    if (ticket.persistent) {
        bound.tag = ticket.tag;
        bound.blueprint = {std::move(candidate.schedule), std::move(buffers)};
    }
    if (!mirror) return exchange;
    auto mirrored = std::make_unique<engine::MirroredCommunication>(
        std::move(mirror), std::move(exchange), context.stream);
    bound.mirrored = mirrored.get();
    return mirrored;
}

/// The communication of a call. The messages of a blocking or nonblocking call carry its code,
/// since another rank may make a different call by mistake.
std::unique_ptr<engine::Communication> communication_for(const std::shared_ptr<BoundCall>& bound,
                                                         Family& family,
                                                         CandidateSchedule& candidate,
                                                         const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto number = candidate.contender.number;
    if (!ticket.persistent)
        if (const auto code = family.code(number)) bound->code = code->number();
    return family.communication(number, *bound, context,
                                [&] { return exchange_of(*bound, family, candidate, context); });
}

/// Records how long the call takes, if a report is wanted.
void record(BoundCall& bound, const Selection& selection, const report::Record::Forecast& forecast,
            const CallContext& context) {
    if (context.profile == nullptr || !selection.reported) return;
    const auto& operation = selection.operation;
    const auto& function = selection.function;
    const report::Record::Key key{
        {context.comm,
         function.empty() ? operation.wording(0, operation.values[0]).value : function,
         context.ticket.persistent},
        bound.summary.algorithm};
    auto timed = std::make_unique<report::TimedCommunication>(
        std::move(bound.communication), *context.profile, key, forecast, selection.bytes);
    if (selection.host_seconds > 0) timed->set_host_seconds(selection.host_seconds);
    bound.timed = timed.get();
    bound.communication = std::move(timed);
}

/// A bit of the identity of a candidate whose call is bound to a mirror.
constexpr std::size_t mirrored_candidate = ~(~std::size_t{0} >> 1);

std::shared_ptr<BoundCall> as_planned(Family& family, CandidateSchedule candidate,
                                      const Selection& selection, const CallContext& context) {
    auto result = std::make_shared<BoundCall>();
    const auto& [number, load, swapped_transport] = candidate.contender;
    result->state = context.ticket.state;
    result->candidate = candidate.contender.identity();
    result->summary = family.summary(number, load);
    result->summary.algorithm = name_with_transport(result->summary.algorithm, swapped_transport);
    const bool reported = context.profile != nullptr;
    const double guess = reported ? choose::estimate(*selection.machine, load) : 0;
    const auto& state = *context.ticket.state;
    const auto sent = choose::sent_by(candidate.schedule, state.rank(), state.nodes().get());
    if (!candidate.schedule.rounds.empty()) {
        result->summary.messages = sent[0].messages + sent[1].messages;
        result->summary.bytes = sent[0].bytes + sent[1].bytes;
    }
    result->communication = communication_for(result, family, candidate, context);
    if (result->mirrored != nullptr) result->candidate |= mirrored_candidate;
    if (!selection.at_host)
        record(*result, selection, {result->exchange ? sent : load.traffic, guess}, context);
    return result;
}

/// The same call by the host MPI's persistent collective.
std::shared_ptr<BoundCall> left_to_host(std::shared_ptr<BoundCall> ours, const Family& family,
                                        const Selection& selection, const CallContext& context) {
    auto result = std::make_shared<BoundCall>();
    result->state = ours->state;
    result->tag = ours->tag;
    result->blueprint = ours->blueprint;
    result->ours = std::move(ours);
    result->summary.algorithm = engine::host;
    result->communication = family.at_host(comm_of_host(context.ticket), HostUse::persistent);
    record(*result, selection, {}, context);
    return result;
}

}  // namespace

std::shared_ptr<BoundCall> bind_call(Family& family, CandidateSchedule candidate,
                                     const Selection& selection, const CallContext& context) {
    auto ours = as_planned(family, std::move(candidate), selection, context);
    if (!selection.at_host) return ours;
    return left_to_host(std::move(ours), family, selection, context);
}

}  // namespace carpool::call
