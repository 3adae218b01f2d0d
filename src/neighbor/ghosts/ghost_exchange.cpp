#include "neighbor/ghosts/ghost_exchange.hpp"

#include "mpi/comm/operator.hpp"
#include "neighbor/ghosts/ghost_blocks.hpp"
#include "schedule/merged.hpp"
#include "schedule/place_itinerary.hpp"
#include "schedule/place_reduction.hpp"
#include "schedule/resized.hpp"

#include <limits>
#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

mpi::Wording map_wording(std::size_t, std::int64_t number) {
    return {"map", "the one made by call number " + std::to_string(number) + " on comm"};
}

/// Ranks must add numbers of one kind in each field.
mpi::Claim claim_of_numbers(const CheckedGhostCall& call) {
    auto claim = mpi::claim_of_element(MPI_BYTE);
    if (!call.reduces) return claim;
    const auto per_field = claim.values.size();
    claim.values.clear();
    for (const auto& field : call.fields)
        for (const auto value : mpi::claim_of_element(field.owned.shape.given()).values)
            claim.values.push_back(value);
    claim.wording = [of_one = claim.wording, per_field](std::size_t i, std::int64_t value) {
        return of_one(i % per_field, value);
    };
    return claim;
}

mpi::Claim claim_of_sizes(const CheckedGhostCall& call) {
    mpi::Claim claim{"size in bytes of an entry", {}};
    for (const auto& field : call.fields) claim.values.push_back(field.owned.shape.bytes());
    return claim;
}

}  // namespace

mpi::Claim GhostExchange::operation() const {
    return arguments::operation_claim(given_.reduces ? arguments::Other::ghosts_reduce
                                                     : arguments::Other::ghosts_update);
}

call::Statement GhostExchange::statement() const {
    if (given_.mistake) return {{}, given_.mistake, {}};
    const auto& call = given_.call;
    std::vector<mpi::Claim> claims{operation(),
                                   {"map", {given_.ghosts->number}, {}, map_wording},
                                   mpi::claim_of(call.op, call.commutes),
                                   claim_of_numbers(call)};
    for (auto& claim : given_.settings.claims()) claims.push_back(std::move(claim));
    claims.push_back(claim_of_sizes(call));
    return {std::move(claims), {}, {}};
}

void GhostExchange::apply_settings() {
    const auto& ghosts = *given_.ghosts;
    auto& settings = given_.settings.neighbor;
    settings.apply(*ghosts.state);
    settings.apply_shared_cores(ghosts.ranks_per_core);
    settings.sums = given_.reduces && given_.call.rounds;
}

void GhostExchange::agree(const call::VoteResult& vote, const call::Ticket&) {
    vote.throw_if_refused();
    apply_settings();
}

void GhostExchange::proceed_without_vote(const call::Ticket&) {
    if (given_.mistake) throw mpi::Error(*given_.mistake);
    apply_settings();
}

/// Whether every summand has to come as it is, so that an owner can add them in order.
bool GhostExchange::keeps_order() const {
    const auto& call = given_.call;
    return call.reduces && (!call.commutes || (call.rounds && given_.settings.reproducible));
}

/// At least one: an init has refused what was not planned.
void GhostExchange::find_candidates() {
    for (const auto& plan : given_.ghosts->plans)
        if (keeps_order() ? plan.use.rule == &routing::direct : allows(settings(), plan.use))
            candidates_.push_back(&plan);
}

call::Choosable GhostExchange::choosable() {
    find_candidates();
    const auto bytes = given_.call.bytes_per_entry();
    call::Choosable result{
        .operation = operation(),
        .function = given_.reduces ? "ghosts_reduce" : "ghosts_update",
        .machine = settings().machine(),
        .by = settings().chosen_by(),
        .rounds = settings().sums,
        .either_transport = settings().either_transport() && settings().rule == nullptr};
    for (const auto* plan : candidates_)
        result.candidates.push_back({[plan, bytes] { return plan->route.load.times(bytes); }});
    return result;
}

/// The schedule of one field, in entries.
schedule::Schedule GhostExchange::placed(std::size_t candidate) const {
    const auto& [itinerary, load, of_all] = candidates_[candidate]->route;
    const auto& ghosts = *given_.ghosts;
    const auto positions = static_cast<int>(ghosts.map.edges.in.size());
    if (!given_.reduces) return schedule::place_sized(itinerary, positions);
    const auto summing =
        given_.call.commutes ? schedule::Summing::commuting : schedule::Summing::in_order;
    return schedule::place_reduction(itinerary, ghosts.state->rank(), positions,
                                     static_cast<int>(load.phases), summing);
}

/// Fields share the messages of one exchange.
call::Written GhostExchange::write(std::size_t candidate) {
    const auto of_entries = placed(candidate);
    std::vector<schedule::Schedule> all;
    for (const auto& field : given_.call.fields)
        all.push_back(schedule::scaled(of_entries, field.owned.shape.bytes()));
    if (all.size() == 1) return {std::move(all.front())};
    std::vector<const schedule::Schedule*> each;
    for (const auto& schedule : all) each.push_back(&schedule);
    return {schedule::merged(each, std::numeric_limits<std::int64_t>::max())};
}

engine::Summary GhostExchange::summary(std::size_t number, const choose::Load&) const {
    const auto& [use, route] = *candidates_[number];
    const RuleCandidate candidate{use.rule,
                                  {},
                                  &route,
                                  use.options.arrangement != 0,
                                  use.rule->knows_nodes ? use.options.carriers : 0};
    return {candidate.name(), candidate.phases(), candidate.rounds(), 0, candidate.volume(), 0};
}

call::BindingParts GhostExchange::parts(std::size_t, schedule::Schedule& schedule,
                                        call::BoundCall& bound, std::optional<int> tag) const {
    const auto& map = given_.ghosts->map;
    auto buffers = given_.reduces
                       ? buffers_of_reduction(map, given_.call, schedule, bound.memory.temps)
                       : buffers_of_update(map, given_.call);
    bound.read = std::make_shared<GhostFilling>(&map, given_.call, buffers);
    auto manner = settings().manner(bound.summary, tag);
    manner.summed = given_.reduces;
    manner.fills = is_kept();
    return {std::move(buffers), manner};
}

std::optional<mpi::CallCode> GhostExchange::code(std::size_t candidate) const {
    return mpi::CallCode::of_ghosts(given_.call.op, candidate);
}

/// The map lives as long as a call on it.
void GhostExchange::keep(const std::shared_ptr<call::BoundCall>& bound) {
    if (is_kept()) given_.ghosts->kept.keep(bound);
}

}  // namespace carpool::neighbor
