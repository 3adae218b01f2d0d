#include "answers.hpp"

#include "schedule/expected.hpp"
#include "schedule/json.hpp"
#include "schedule/verify.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

json::array array_of(std::span<const int> numbers) {
    json::array array;
    for (const int number : numbers) array.emplace_back(number);
    return array;
}

json::object counts(Question& q, const routing::Rule& rule) {
    const auto choice = q.planned(rule);
    const auto schedule = q.planner.placed(choice, q.operation, q.rank(), q.block_bytes);
    const auto bytes = choice.bytes(q.block_bytes);
    return {{"name", rule.name},
            {"summary", rule.summary},
            {"automatic", rule.automatic},
            {"rounds", choice.plan->rounds()},
            {"phases", choice.plan->phases()},
            {"least_phases", choice.plan->least_phases()},
            {"volume", choice.volume()},
            {"bytes", bytes},
            {"estimate", choose::estimate(q.model, *choice.plan, bytes)},
            {"rank_messages", schedule::messages_sent(schedule)},
            {"rank_bytes", schedule::bytes_sent(schedule)}};
}

json::object about(const Question& q) {
    return {{"grid", topology::to_text(q.grid)},
            {"ranks", q.grid.size()},
            {"dimensions", q.grid.dimensions()},
            {"neighbors", q.stencil.size()},
            {"operation", schedule::name_of(q.operation)},
            {"rank", q.rank()},
            {"coordinates", array_of(q.grid.coordinates(q.rank()))}};
}

json::array rounds_of(const routing::Plan& plan) {
    const auto block = plan.block_of_stops();
    json::array rounds;
    for (int round = 0; round < plan.rounds(); ++round) {
        json::array moves;
        for (int stop = plan.first_stop(round); stop < plan.first_stop(round + 1); ++stop)
            moves.push_back(json::object{{"block", block[static_cast<std::size_t>(stop)]},
                                         {"from", plan.from(stop)},
                                         {"to", stop}});
        rounds.push_back(json::object{
            {"phase", plan.phase(round)}, {"hop", array_of(plan.hop(round))}, {"moves", moves}});
    }
    return rounds;
}

json::array ways_of(const routing::Plan& plan) {
    const auto ways = plan.way_to_stops();
    const auto d = static_cast<std::size_t>(plan.dimensions());
    json::array result;
    for (std::size_t stop = 0; stop * d < ways.size(); ++stop)
        result.push_back(array_of(std::span(ways).subspan(stop * d, d)));
    return result;
}

json::object described(Question& q, const routing::Rule& rule) {
    const auto choice = q.planned(rule);
    const auto schedule = q.planner.placed(choice, q.operation, q.rank(), q.block_bytes);
    auto result = counts(q, rule);
    result["plan"] = rounds_of(*choice.plan);
    result["ways"] = ways_of(*choice.plan);
    result["schedule"] = json::parse(schedule::to_json(schedule));
    return result;
}

schedule::Postcondition expected(const Question& q) {
    if (schedule::reduces(q.operation))
        return schedule::expected_sums(q.operation, q.grid, q.stencil, q.block_bytes.front());
    return schedule::expected(schedule::pattern_of(q.operation), q.grid, q.stencil, q.block_bytes);
}

json::array offsets_of(const topology::Neighborhood& stencil) {
    json::array offsets;
    for (int i = 0; i < stencil.size(); ++i) offsets.push_back(array_of(stencil[i]));
    return offsets;
}

/// All ranks are run at once, in memory.
void check_verifiable(const Question& q) {
    constexpr std::int64_t most_blocks = 1 << 23;
    const auto blocks = q.grid.size() * std::max<std::int64_t>(1, q.stencil.size());
    if (blocks > most_blocks)
        throw std::invalid_argument("verify would follow " + std::to_string(blocks) +
                                    " blocks, expected at most " + std::to_string(most_blocks) +
                                    "; a smaller grid of the same kind shows the same");
}

template <typename Describe>
json::array per_rule(const Question& q, Describe describe) {
    json::array rules;
    for (const auto* rule : q.rules()) rules.push_back(describe(*rule));
    return rules;
}

}  // namespace

json::object explain(Question& q) {
    auto answer = about(q);
    answer["rules"] = per_rule(q, [&q](const auto& rule) { return counts(q, rule); });
    answer["choice"] =
        q.algorithm == "auto"
            ? json::string(q.planner.cheapest(q.operation, q.block_bytes, q.model).rule->name)
            : json::string(q.algorithm);
    return answer;
}

json::object plan(Question& q) {
    auto answer = explain(q);
    answer["offsets"] = offsets_of(q.stencil);
    answer["rules"] = per_rule(q, [&q](const auto& rule) { return described(q, rule); });
    return answer;
}

json::object verify(Question& q) {
    check_verifiable(q);
    auto answer = about(q);
    answer["rules"] = per_rule(q, [&q](const routing::Rule& rule) {
        const auto choice = q.planned(rule);
        std::vector<schedule::Schedule> schedules;
        for (int rank = 0; rank < q.grid.size(); ++rank)
            schedules.push_back(q.planner.placed(choice, q.operation, rank, q.block_bytes));
        json::array complaints;
        for (const auto& text : schedule::verify(schedules, expected(q)))
            complaints.emplace_back(text);
        return json::object{{"name", rule.name}, {"complaints", complaints}};
    });
    return answer;
}

json::object stencils() {
    json::array families;
    for (const auto& family : topology::stencil_families()) {
        const auto example = topology::stencil_from_text(std::string(family.example));
        families.push_back(json::object{{"name", family.name},
                                        {"arguments", family.arguments},
                                        {"summary", family.summary},
                                        {"example", family.example},
                                        {"offsets", offsets_of(example)}});
    }
    return {{"stencils", families}};
}

json::object algorithms() {
    json::array rules;
    for (const auto* rule : routing::rules())
        rules.push_back(json::object{
            {"name", rule->name}, {"summary", rule->summary}, {"automatic", rule->automatic}});
    return {{"algorithms", rules}};
}

}  // namespace cli
