// SPDX-License-Identifier: MIT
#include "neighbor/collective.hpp"

#include "arguments/block_tally.hpp"
#include "arguments/operation_claim.hpp"
#include "base/expects.hpp"
#include "mpi/comm/operator.hpp"
#include "mpi/comm/oversubscription.hpp"
#include "neighbor/confirmed_exchange.hpp"
#include "neighbor/filler.hpp"
#include "neighbor/topology/edge_check.hpp"
#include "neighbor/unsized_route.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace carpool::neighbor {
namespace {

using schedule::Operation;

/// The bytes of all blocks of this rank or, if that is more, of the summands that an operator that
/// does not commute must wait for.
std::int64_t bytes_held(const CheckedNeighborCall& call, int sources) {
    const auto waiting = static_cast<std::size_t>(call.in_order() ? sources : 0);
    const std::vector summands(waiting, mpi::Block{nullptr, call.summand});
    return std::max(arguments::bytes_of(call.buffers.send, call.buffers.recv),
                    arguments::bytes_of(summands, {}));
}

mpi::Wording form_wording(std::size_t, std::int64_t settled) {
    return {"form of the call", settled != 0 ? "with one size" : "with sizes that may differ"};
}

/// The longest block that is combined with others if routes were not planned for its size. One more
/// hop of a longer block takes longer than a message of its own.
std::int64_t longest_block(const choose::CostModel& model) {
    constexpr double one_more_hop = 1;
    return choose::longest_worth_combining(model, one_more_hop);
}

}  // namespace

// ---- open ----

NeighborCollective::NeighborCollective(CallInput given)
    : given_(std::move(given)),
      place_(std::make_unique<mpi::CommState::Place>(given_.topology->state())) {}

std::optional<engine::Steps<void>> NeighborCollective::opening(const call::CallContext& context) {
    const auto& topology = *given_.topology;
    if (!topology.defined() || topology.inherits() || !place_->test()) return opened(context);
    take(std::move(given_.settings));
    return std::nullopt;
}

void NeighborCollective::take(NeighborSettings settings) {
    const auto* const call = given_.call.get();
    settings.sums = schedule::reduces(given_.operation) && (!call || call->checked_op.rounds);
    given_.settings = chosen_for(*given_.topology, std::move(settings));
}

namespace {

/// Waits until a duplicate has taken over what it inherits.
struct Inheritance {
    Topology& topology;
    bool test() const { return topology.inherited(); }
};

}  // namespace

engine::Steps<void> NeighborCollective::opened(const call::CallContext& context) {
    auto& topology = *given_.topology;
    co_await engine::until(*place_);
    if (topology.inherits()) {
        Inheritance inheritance{topology};
        co_await engine::until(inheritance);
    }
    if (!topology.defined()) co_await given_.adoption->adopted(topology, context, place_->number());
    auto settings = given_.settings;
    if (given_.adoption) settings = topology.definition().settings;
    const auto mistake = mpi::mistake_in([&] {
        if (given_.adoption) settings = settings.with(given_.info.get());
        take(std::move(settings));
    });
    if (!given_.mistake) given_.mistake = mistake;
}

// ---- read ----

mpi::Claim NeighborCollective::operation() const {
    return arguments::operation_claim(given_.operation);
}

/// The name of MPI's function, for a report.
std::string NeighborCollective::function() const {
    if (given_.listed) return "sparse_alltoallv";
    return "neighbor_" + std::string(name_of(given_.operation)) +
           std::string(given_.call->function_suffix);
}

/// The claims that must be equal on all ranks before the first message; the last one is the sizes
/// of blocks.
std::vector<mpi::Claim> NeighborCollective::claims() const {
    if (given_.mistake) return {};
    const auto& call = *given_.call;
    const auto what = given_.listed ? arguments::operation_claim(arguments::Other::sparse_alltoallv)
                                    : operation();
    return {what, mpi::claim_of(call.op, !call.in_order()),
            mpi::claim_of_element(call.summand ? call.summand.type() : MPI_BYTE),
            given_.settings.claim(), call.block_bytes};
}

mpi::Tally NeighborCollective::own_tally() const {
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    if (given_.mistake) return tally;
    tally.held.add(bytes_held(*given_.call, given_.topology->indegree()));
    if (!sizes().by_edge()) return tally;
    const auto ends = sizes().ends();
    if (given_.operation == Operation::alltoall)
        tally.add(arguments::tally_of_blocks(*ends.edges, ends.rank, {ends.sent, ends.received, {}},
                                             longest_block(given_.settings.model)));
    tally.bytes = sizes().sizes_here();
    tally.balance = balance(ends);
    return tally;
}

call::Statement NeighborCollective::statement() const {
    return {claims(), given_.mistake, own_tally(), given_.topology->definition().unsure_sizes};
}

// ---- agree ----

void NeighborCollective::apply(NeighborSettings& settings, double ranks_per_core) const {
    settings.apply(*given_.topology->state());
    settings.apply_shared_cores(ranks_per_core);
}

/// If the ends of an edge disagree, all ranks find out later which edge it is, instead of planning.
void NeighborCollective::agree(const call::VoteResult& vote, const call::Ticket&) {
    if (vote.refusal && given_.first) *given_.voted = false;
    vote.throw_if_refused();
    const auto& tally = vote.tally;
    differs_ = tally.balance != 0;
    held_ = tally.held.most;
    agreed_ = sizes().agreed(tally, vote.claims.back().values);
    apply(given_.settings, mpi::ranks_per_core(tally.oversubscription.most));
}

/// Without a vote, blocks whose sizes only two ranks know take the unsized route, unless the edges
/// are new at each call.
void NeighborCollective::proceed_without_vote(const call::Ticket&) {
    if (given_.mistake) throw mpi::Error(*given_.mistake);
    const auto& topology = *given_.topology;
    sizes().find_without_vote(agreed_);
    apply(given_.settings, topology.definition().ranks_per_core);
    pairs_know_ = given_.settings.rule == nullptr && !agreed_.sized;
    if (sizes().to_ends() && !confirms())
        unsized_route_ = topology.routes().unsized_route(flow_of(given_.operation));
    else if (!agreed_.sized)
        given_.settings.rule = &routing::direct;
}

// ---- plan ----

/// True if the call needs no unsized route, or has one.
bool NeighborCollective::is_settled() const {
    return votes() || confirms() || !sizes().to_ends() ||
           given_.topology->routes().unsized_route(flow_of(given_.operation)) != nullptr;
}

std::optional<engine::Steps<void>> NeighborCollective::planning(const call::CallContext& context) {
    const auto& topology = *given_.topology;
    if (differs_ || given_.first ||
        !candidates_planned(topology, settings_to_plan_by(), given_.operation) || !is_settled())
        return planned(context);
    place_.reset();
    return std::nullopt;
}

/// Blocking and nonblocking calls plan as if no ranks shared cores. If some do, their candidates
/// are among the planned ones.
NeighborSettings NeighborCollective::settings_to_plan_by() const {
    auto settings = given_.settings;
    apply(settings, 1);
    return settings;
}

/// All candidates of the operation are planned, whatever the call needs. So all ranks plan in the
/// same call.
engine::Steps<void> NeighborCollective::planned(const call::CallContext& context) {
    auto& topology = *given_.topology;
    const Routes::Occasion occasion{context.ticket.tag, place_->number()};
    if (differs_) {
        auto ends = sizes().ends();
        ends.blocks = given_.call->buffers.recv;
        co_await refuse_difference(std::move(ends), context, MPI_ERR_ARG);
    }
    if (given_.first) co_await given_.barrier->opened(*context.ticket.state, context.ticket.tag);
    if (!votes()) co_await agreed_to_plan(context);
    auto settings = settings_to_plan_by();
    co_await plan_candidates(topology, std::move(settings), given_.operation, occasion);
    if (!is_settled()) {
        const auto route = co_await unsized_route(occasion.tag);
        topology.routes().settle(flow_of(given_.operation), route, occasion);
    }
    place_.reset();
}

/// The best unsized route for the sizes of this call.
engine::Steps<UnsizedRoute> NeighborCollective::unsized_route(int tag) const {
    const auto& topology = *given_.topology;
    auto settings = given_.settings;
    apply(settings, topology.definition().ranks_per_core);
    return unsized_route_for(topology, std::move(settings), given_.operation, sizes().ends(), tag);
}

/// All ranks agree that they make the same call, and that none has made a mistake. Ordinary
/// collectives agree under another tag, and on fewer claims.
engine::Steps<void> NeighborCollective::agreed_to_plan(const call::CallContext& context) const {
    const mpi::CallCode code(mpi::CallCode::of_planning);
    auto claims = this->claims();
    if (!given_.mistake) claims.push_back({"form of the call", {is_settled()}, {}, form_wording});
    mpi::Agreement agreement(context.ticket.comm, std::move(claims), given_.mistake, {},
                             given_.topology->definition().unsure_sizes,
                             context.vote(context.tag_of(code)));
    co_await engine::until(agreement);
    agreement.conclude();
}

// ---- candidates ----

/// Plans are searched for by sizes only if the sizes are the same at each start and all ranks know
/// them.
std::span<const std::int64_t> NeighborCollective::sizes_to_plan_by() const {
    const bool known = given_.persistent && agreed_.sized && given_.topology->declared();
    return known ? std::span<const std::int64_t>(agreed_.block_bytes)
                 : std::span<const std::int64_t>();
}

void NeighborCollective::find_candidates() {
    const auto& topology = *given_.topology;
    if (given_.call->in_order())
        candidates_ = {direct_candidate(topology, gathering(given_.operation))};
    else if (unsized_route_ != nullptr)
        candidates_ = {candidate_of(topology, unsized_route_->rule, given_.operation)};
    else
        candidates_ =
            neighbor::candidates(topology, given_.settings, given_.operation, sizes_to_plan_by());
}

/// For blocking and nonblocking calls, sizes are rounded before choosing, so that one choice serves
/// more calls. Their empty blocks are sent, too.
void NeighborCollective::find_bytes_to_choose_by() {
    bytes_to_choose_by_ = agreed_.block_bytes;
    if (given_.persistent || given_.listed) return;
    for (auto& bytes : bytes_to_choose_by_)
        bytes = collectives::round_block(std::max<std::int64_t>(1, bytes), 1);
}

call::CandidateSet NeighborCollective::candidate_set() {
    find_candidates();
    find_bytes_to_choose_by();
    const auto& settings = given_.settings;
    call::CandidateSet result{
        .operation = operation(),
        .function = function(),
        .bytes = arguments::size_for_report(given_.call->buffers.send, given_.call->buffers.recv),
        .machine = machine(),
        .policy = settings.choice_policy(),
        .held = held_,
        .rounds = settings.sums,
        .either_transport = settings.either_transport() && settings.rule == nullptr,
        .all_know_sizes = !pairs_know_};
    for (const auto& candidate : candidates_)
        result.candidates.push_back({[this, &candidate] {
            return given_.call->in_order() ? choose::Load{} : load_of(candidate);
        }});
    return result;
}

choose::Load NeighborCollective::load_of(const RuleCandidate& candidate) const {
    const auto load = neighbor::load_of(candidate, bytes_to_choose_by_, machine());
    if (given_.topology->bytes() != nullptr) return load;  // its routes were planned for all sizes
    auto straight = agreed_.straight;
    if (!drafts().divides(candidate)) straight.messages = straight.blocks = 0;
    return load.with_straight(straight, machine().widest());
}

// ---- write ----

ScheduleDrafts NeighborCollective::drafts() const {
    return ScheduleDrafts({given_.topology.get(), given_.operation, given_.call.get(), &agreed_,
                           unsized_route_, longest_block(given_.settings.model), votes(),
                           confirms()});
}

/// The candidate of an unsized route is the only one.
bool NeighborCollective::has_length_headers() const {
    return !candidates_.empty() && drafts().has_length_headers(candidates_.front());
}

call::ScheduleDraft NeighborCollective::write(std::size_t number) {
    return drafts().of(candidates_[number]);
}

// ---- bind ----

/// The rank whose block arrives in each receive slot, if messages may be longer or shorter than the
/// slot.
std::vector<int> NeighborCollective::sources() const {
    std::vector<int> sources;
    if (!votes() && !agreed_.sized)
        for (const auto& edge : given_.topology->edges().in) sources.push_back(edge.peer);
    return sources;
}

engine::Buffers NeighborCollective::buffers(schedule::Schedule& schedule,
                                            call::BoundCall& bound) const {
    const auto& call = *given_.call;
    auto buffers = call.buffers;
    if (call.op != MPI_OP_NULL) buffers.ops = {call.op};
    if (call.op != MPI_OP_NULL && schedule.temp_slots > 0)
        bound.memory.temps = agree::TypedMemory(
            std::vector(static_cast<std::size_t>(schedule.temp_slots), call.summand));
    buffers.temp = bound.memory.temps.blocks();
    buffers.sources = sources();
    return buffers;
}

engine::Summary NeighborCollective::summary(std::size_t number, const choose::Load&) const {
    const auto& candidate = candidates_[number];
    return {candidate.name(), candidate.phases(), candidate.rounds(), 0, candidate.volume(), 0};
}

call::BindingParts NeighborCollective::parts(std::size_t, schedule::Schedule& schedule,
                                             call::BoundCall& bound, std::optional<int> tag) const {
    auto manner = given_.settings.manner(bound.summary, tag);
    manner.summed = schedule::reduces(given_.operation);
    auto buffers = this->buffers(schedule, bound);
    if (votes()) {
        bound.read = given_.call;
    } else {
        auto filler = std::make_shared<NeighborFiller>(
            given_.topology, buffers,
            has_length_headers() ? std::optional(unsized_route_->longest) : std::nullopt);
        if (given_.kept) {
            manner.fills = filler->take_schedule(schedule, agreed_);
            if (given_.arguments) filler->make_room_for(*given_.arguments);
        }
        bound.read = std::move(filler);
    }
    return {std::move(buffers), manner};
}

std::unique_ptr<engine::Communication> NeighborCollective::communication(
    std::size_t, const call::BoundCall& bound, const call::CallContext& context,
    const Exchange& exchange) {
    auto communication = exchange();
    if (!confirms()) return communication;
    return std::make_unique<ConfirmedExchange>(std::move(communication), filler_of(bound), *code(0),
                                               context, given_.barrier);
}

std::unique_ptr<engine::Communication> NeighborCollective::at_host(MPI_Comm comm,
                                                                   call::HostUse use) const {
    return neighbor::host_form(*given_.topology, *given_.arguments, comm,
                               use == call::HostUse::rehearsal);
}

std::optional<mpi::CallCode> NeighborCollective::code(std::size_t candidate) const {
    CARPOOL_EXPECTS(candidate < mpi::CallCode::most_candidates, candidate);
    if (given_.listed) return mpi::CallCode::of_lists(candidate);
    const auto op = given_.call ? given_.call->op : MPI_OP_NULL;
    return mpi::CallCode::of(given_.operation, op,
                             has_length_headers() ? mpi::CallCode::with_length_headers : candidate);
}

void NeighborCollective::keep(const std::shared_ptr<call::BoundCall>& bound) {
    if (given_.kept && !votes())
        given_.kept->keep(given_.form, size_class_of(*given_.call, agreed_), bound);
}

}  // namespace carpool::neighbor
