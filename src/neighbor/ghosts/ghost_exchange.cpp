// SPDX-License-Identifier: MIT
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

/// In each field, ranks must add numbers of one kind.
mpi::Claim claim_of_numbers(const CheckedGhostCall& call) {
    auto all = mpi::claim_of_element(MPI_BYTE);
    const auto per_field = all.values.size();
    all.values.clear();
    if (!call.reduces) return all;
    for (const auto& field : call.fields) {
        const auto one = mpi::claim_of_element(field.owned.shape.given());
        all.values.insert(all.values.end(), one.values.begin(), one.values.end());
    }
    if (call.fields.size() == 1) return all;
    all.wording = [per_field, of_one = all.wording](std::size_t i, std::int64_t value) {
        auto wording = of_one(i % per_field, value);
        wording.name += " of field " + std::to_string(i / per_field);
        return wording;
    };
    return all;
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
                                   {"map", {given_.map->number}, {}, map_wording},
                                   {"number of fields", {std::ssize(call.fields)}},
                                   mpi::claim_of(call.op, call.commutes),
                                   claim_of_numbers(call)};
    for (auto& claim : given_.settings.claims()) claims.push_back(std::move(claim));
    claims.push_back(claim_of_sizes(call));
    return {std::move(claims), {}, {}};
}

void GhostExchange::apply_settings() {
    const auto& map = *given_.map;
    auto& settings = given_.settings.neighbor;
    settings.apply(*map.state);
    settings.apply_shared_cores(map.ranks_per_core);
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

/// At least one: an init has refused what was not planned. A sum is made of whole classes.
void GhostExchange::find_candidates() {
    for (const auto& rule : given_.map->rules) {
        const bool is_direct = rule.use.rule == &routing::direct;
        const bool by_pairs = rule.part == &given_.map->pairs;
        if (is_direct && by_pairs == given_.reduces) continue;
        if (keeps_order() ? is_direct : allows(settings(), rule.use)) candidates_.push_back(&rule);
    }
}

call::CandidateSet GhostExchange::candidate_set() {
    find_candidates();
    const auto bytes = given_.call.bytes_per_entry();
    call::CandidateSet result{
        .operation = operation(),
        .function = given_.reduces ? "ghosts_reduce" : "ghosts_update",
        .machine = settings().machine(),
        .policy = settings().choice_policy(),
        .rounds = settings().sums,
        .either_transport = settings().either_transport() && settings().rule == nullptr};
    for (const auto* rule : candidates_)
        result.candidates.push_back({[rule, bytes] { return rule->route.load.times(bytes); }});
    return result;
}

/// The schedule of one field, in entries.
schedule::Schedule GhostExchange::placed(std::size_t candidate) const {
    const auto& [itinerary, load, of_all] = candidates_[candidate]->route;
    const auto positions = static_cast<int>(candidates_[candidate]->part->edges.in.size());
    if (!given_.reduces) return schedule::place_sized(itinerary, positions);
    const auto summing =
        given_.call.commutes ? schedule::SummandOrder::commuting : schedule::SummandOrder::in_order;
    return schedule::place_reduction(itinerary, given_.map->state->rank(), positions,
                                     static_cast<int>(load.phases), summing);
}

/// Fields share the messages of one exchange.
call::ScheduleDraft GhostExchange::write(std::size_t candidate) {
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
    const auto& [use, part, route] = *candidates_[number];
    const RuleCandidate candidate{use.rule,
                                  {},
                                  &route,
                                  use.options.arrangement != 0,
                                  use.rule->knows_nodes ? use.options.carriers : 0};
    return {candidate.name(), candidate.phases(), candidate.rounds(), 0, candidate.volume(), 0};
}

call::BindingParts GhostExchange::parts(std::size_t candidate, schedule::Schedule& schedule,
                                        call::BoundCall& bound, std::optional<int> tag) const {
    const auto& part = *candidates_[candidate]->part;
    auto buffers = given_.reduces
                       ? buffers_of_reduction(part, given_.call, schedule, bound.memory.temps)
                       : buffers_of_update(part, given_.call);
    bound.read = std::make_shared<GhostBinding>(&part, given_.call, buffers);
    auto manner = settings().manner(bound.summary, tag);
    manner.summed = given_.reduces;
    manner.fills = is_kept();
    return {std::move(buffers), manner};
}

std::optional<mpi::CallCode> GhostExchange::code(std::size_t candidate) const {
    return mpi::CallCode::of_ghosts(given_.call.op, candidate);
}

/// The map keeps the call for later ones with its arrays, or with others of its form.
void GhostExchange::keep(const std::shared_ptr<call::BoundCall>& bound) {
    if (is_kept()) given_.map->kept.keep(bound);
}

}  // namespace carpool::neighbor
