#include "call/binding.hpp"

#include "call/found_choices.hpp"
#include "call/recorded.hpp"
#include "call/trial.hpp"
#include "call/watched.hpp"
#include "mpi/library.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace carpool::call {
namespace {

/// The exchange of a schedule. One that ends once says what it is: other ranks may not do the same.
std::unique_ptr<engine::Communication> exchange_for(const std::shared_ptr<BoundCall>& bound,
                                                    Family& family, Planned& planned,
                                                    const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto number = planned.chosen.number;
    auto buffers = family.buffers(number, planned.schedule, *bound);
    const auto tag = ticket.persistent ? std::optional(ticket.tag) : std::nullopt;
    auto manner = family.manner(bound->summary, tag);
    if (planned.chosen.other_way) manner.ways = engine::Ways::other;
    const auto code = ticket.persistent ? std::nullopt : family.code(number);
    manner.checked = code.has_value();
    auto exchange = engine::exchange_of(*ticket.state, planned.schedule, buffers, manner);
    bound->summary.shared = exchange->shared_use();
    if (ticket.persistent) {
        bound->tag = ticket.tag;
        bound->blueprint = {std::move(planned.schedule), std::move(buffers)};
    }
    if (!code) return exchange;
    auto watched = std::make_unique<Watched>(family.confirmed(std::move(exchange), context), *code,
                                             ticket.state, context.refusals);
    watched->belongs_to(bound);
    return watched;
}

/// Writes down how long it takes, where a report is wanted.
void record(BoundCall& bound, const Family& family, const Contest& contest,
            const Record::Forecast& forecast, const CallContext& context) {
    if (context.ledger == nullptr) return;
    const auto operation = family.operation();
    auto& line = context.ledger->record(
        {{context.comm_name, bound.state->size(), operation.wording(0, operation.values[0]).value,
          contest.size_class},
         bound.summary.algorithm},
        forecast);
    bound.communication =
        std::make_unique<Recorded>(std::move(bound.communication), *context.ledger, line);
}

std::shared_ptr<BoundCall> bound(Family& family, Planned planned, const Contest& contest,
                                 const CallContext& context) {
    auto result = std::make_shared<BoundCall>();
    const auto& [number, load, other_way] = planned.chosen;
    result->state = context.ticket.state;
    result->trial = contest.trial;
    result->way = planned.chosen.identity();
    result->summary = family.summary(number, load);
    result->summary.algorithm = named_with_way(result->summary.algorithm, other_way);
    const bool reported = context.ledger != nullptr;
    const double guess = reported ? choose::estimate(family.machine(), load) : 0;
    result->communication = family.protocol(number, context.ticket);
    const auto& state = *context.ticket.state;
    const auto sent = choose::sent_by(planned.schedule, state.rank(), state.nodes().get());
    if (!result->communication) {
        result->summary.messages = sent[0].messages + sent[1].messages;
        result->summary.bytes = sent[0].bytes + sent[1].bytes;
        result->communication = exchange_for(result, family, planned, context);
    }
    record(*result, family, contest, {sent, guess}, context);
    return result;
}

/// By MPI's own collective. Open MPI's persistent ones do not keep their communicator.
std::shared_ptr<BoundCall> left_to_host(const Family& family, const Contest& contest,
                                        const CallContext& context) {
    auto result = std::make_shared<BoundCall>();
    result->state = context.ticket.state;
    result->summary.algorithm = engine::host;
    const auto comm = context.ticket.comm;
    result->communication = family.host_form(mpi::is_open_mpi() ? result->state->twin(comm) : comm);
    record(*result, family, contest, {}, context);
    return result;
}

/// That there is nothing to do before MPI's own collective.
class Nothing final : public engine::Communication {
public:
    void start(int) override {}
    bool advance() override { return true; }
};

/// MPI's own blocking collective, which is over when it has started.
class MeasuredAtHost final : public engine::Communication {
public:
    MeasuredAtHost(std::unique_ptr<engine::Communication> call, CallTrial& trial,
                   const mpi::CommState& state)
        : call_(std::move(call)), trial_(trial), state_(state) {}

    void start(int tag) override {
        using Clock = std::chrono::steady_clock;
        if (!trial_.measures(state_.turns() - 1)) return call_->start(tag);
        const auto began = Clock::now();
        call_->start(tag);
        trial_.add(std::chrono::duration<double>(Clock::now() - began).count());
    }
    bool advance() override { return true; }

private:
    std::unique_ptr<engine::Communication> call_;
    CallTrial& trial_;
    const mpi::CommState& state_;
};

/// By MPI's own blocking collective: who waits for the call calls it, outside of all progress.
std::shared_ptr<BoundCall> called_at_host(const Family& family, const Contest& contest,
                                          const CallContext& context) {
    auto call = std::make_shared<BoundCall>();
    call->state = context.ticket.state;
    call->trial = contest.trial;
    call->way = choose::Chosen{host_call}.identity();
    call->summary.algorithm = engine::host;
    call->communication = std::make_unique<MeasuredAtHost>(family.host_call(context.ticket.comm),
                                                           *call->trial, *call->state);
    record(*call, family, contest, {}, context);
    auto result = std::make_shared<BoundCall>();
    result->state = call->state;
    result->summary = call->summary;
    result->communication = std::make_unique<Nothing>();
    result->host = std::move(call);
    return result;
}

/// Several ways, of which the request finds the fastest.
std::shared_ptr<BoundCall> on_trial(std::vector<std::shared_ptr<BoundCall>> rivals,
                                    const Contest& contest) {
    auto result = std::make_shared<BoundCall>();
    const auto& first = *rivals.front();
    result->state = first.state;
    result->tag = first.tag;
    result->blueprint = first.blueprint;
    std::function<void(const std::string&)> found;
    if (auto choices = FoundChoices::wanted())
        found = [choices, problem = contest.problem](const std::string& algorithm) {
            choices->add(problem, algorithm);
        };
    auto trial = std::make_unique<Trial>(std::move(rivals), *result->state, result->summary,
                                         std::move(found));
    if (contest.known) trial->begin_with(*contest.known, contest.at_work);
    result->communication = std::move(trial);
    return result;
}

}  // namespace

std::shared_ptr<BoundCall> bound(Family& family, Ways ways, const CallContext& context) {
    const auto& contest = ways.contest;
    std::vector<std::shared_ptr<BoundCall>> calls;
    for (auto& planned : ways.plans)
        calls.push_back(bound(family, std::move(planned), contest, context));
    if (contest.host)
        calls.push_back(contest.trial ? called_at_host(family, contest, context)
                                      : left_to_host(family, contest, context));
    return calls.size() == 1 ? calls.front() : on_trial(std::move(calls), contest);
}

}  // namespace carpool::call
