// SPDX-License-Identifier: MIT
#include "answers.hpp"

#include "collective_answers.hpp"
#include "fields.hpp"
#include "schedule/expected.hpp"
#include "schedule/json.hpp"
#include "schedule/sampled_ranks.hpp"
#include "topology/graph_text.hpp"
#include "topology/text.hpp"
#include "verdict.hpp"

#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

json::array array_of(std::span<const int> numbers) {
    json::array array;
    for (const int number : numbers) array.emplace_back(number);
    return array;
}

/// What a rank sends when blocks that start or end off the mesh are left out.
json::object sent(const Question& q, const choose::GridPlan& choice, int rank) {
    const auto schedule = q.planner.placed(choice, q.operation, rank, q.block_bytes);
    return {{"rank", rank},
            {"messages", schedule::messages_sent(schedule)},
            {"bytes", schedule::bytes_sent(schedule)}};
}

/// The schedules of all ranks, one entry per block moved, must fit into memory.
void check_size(const Question& q, const choose::GridPlan& choice) {
    constexpr double most = 1 << 24;
    const double per_rank = static_cast<double>(choice.volume()) + q.stencil.size() + 1;
    if (per_rank * static_cast<double>(q.grid.size()) > most)
        throw std::invalid_argument(
            topology::to_text(q.grid) +
            " has too many ranks to run this stencil on all, expected at most 2^24 blocks moved; "
            "a smaller grid of the same kind shows the same, and verify --sample looks at some "
            "ranks");
}

std::vector<schedule::Schedule> of_all_ranks(const Question& q, const choose::GridPlan& choice) {
    check_size(q, choice);
    std::vector<schedule::Schedule> schedules;
    for (int rank = 0; rank < q.grid.size(); ++rank)
        schedules.push_back(q.planner.placed(choice, q.operation, rank, q.block_bytes));
    return schedules;
}

choose::Load load_of(const Question& q, const choose::GridPlan& choice,
                     const choose::Machine& machine) {
    return are_empty(q.block_bytes) ? choose::Load{} : choice.load(q.block_bytes, machine);
}

json::object on_nodes(const Question& q, const choose::GridPlan& choice, const choose::Load& load) {
    check_size(q, choice);
    const auto& mapped = q.nodes.mapped();
    NodeCounts as_given(q.nodes.machine());
    NodeCounts reordered(mapped);
    for (int rank = 0; rank < q.grid.size(); ++rank) {
        const auto schedule = q.planner.placed(choice, q.operation, rank, q.block_bytes);
        as_given.add(rank, schedule);
        reordered.add(rank, schedule);
    }
    auto counts = as_given.to_json(load);
    counts["reordered"] = reordered.to_json(load_of(q, choice, mapped));
    return counts;
}

/// Blocks that differ keep their proportions; their mean is that many bytes.
json::object line_of(const Question& q, const choose::GridPlan& choice) {
    const auto sum = std::accumulate(q.block_bytes.begin(), q.block_bytes.end(), std::int64_t{0});
    const auto count = std::ssize(q.block_bytes);
    const auto& machine = q.nodes.machine();
    return line_through([&](std::int64_t bytes) {
        auto sizes = q.block_bytes;
        for (auto& size : sizes)
            size = sum == 0 ? bytes
                            : static_cast<std::int64_t>(static_cast<double>(size) *
                                                        static_cast<double>(bytes * count) /
                                                        static_cast<double>(sum));
        return choose::estimate(machine, choice.load(sizes, machine));
    });
}

json::object counts(const Question& q, const choose::GridPlan& choice) {
    const auto bytes = choice.bytes(q.block_bytes);
    const auto load = load_of(q, choice, q.nodes.machine());
    json::object result{{"name", choice.name()},
                        {"summary", choice.rule->summary},
                        {"automatic", choice.rule->automatic},
                        {"rounds", choice.plan().rounds()},
                        {"phases", choice.plan().phases()},
                        {"least_phases", choice.plan().least_phases()},
                        {"volume", choice.volume()},
                        {"bytes", bytes},
                        {"starts", choose::starts(load, q.model.ports)},
                        {"estimate", choose::estimate(q.nodes.machine(), load)},
                        {"at_rank", sent(q, choice, q.rank())},
                        {"at_corner", sent(q, choice, 0)}};
    if (q.nodes.asked()) result["nodes"] = on_nodes(q, choice, load);
    if (q.nodes.machine().overlaps()) result["line"] = line_of(q, choice);
    return result;
}

json::object about(const Question& q) {
    json::object about{{"grid", topology::to_text(q.grid)},
                       {"ranks", q.grid.size()},
                       {"periodic", q.grid.fully_periodic()},
                       {"dimensions", q.grid.dimensions()},
                       {"neighbors", q.stencil.size()},
                       {"operation", schedule::name_of(q.operation)},
                       {"reduces", schedule::reduces(q.operation)},
                       {"block_bytes", json::value_from(q.block_bytes)},
                       {"alpha", q.model.alpha},
                       {"beta", q.model.beta},
                       {"sigma", q.model.sigma},
                       {"ports", q.model.ports},
                       {"rank", q.rank()},
                       {"coordinates", array_of(q.grid.coordinates(q.rank()))}};
    if (q.nodes.asked()) about["nodes"] = q.nodes.about(q.bytes_per_weight());
    return about;
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

/// The node of the rank at each stop; null where the mesh ends.
json::array nodes_of_ways(const Question& q, const routing::Plan& plan) {
    const auto ways = plan.way_to_stops();
    const auto d = static_cast<std::size_t>(plan.dimensions());
    const auto here = q.grid.coordinates(q.rank());
    json::array nodes;
    for (std::size_t at = 0; at < ways.size(); at += d) {
        const int rank = q.grid.rank_at(here, std::span(ways).subspan(at, d));
        nodes.push_back(rank == topology::no_rank ? json::value() : q.nodes.node(rank));
    }
    return nodes;
}

/// For each temporary slot, the block that it holds and the rank that the block comes from; empty
/// for reductions. Slots are numbered as place() does.
json::array transit_of(const Question& q, const choose::GridPlan& choice) {
    json::array transit;
    if (choice.sums) return transit;
    const auto& plan = choice.plan();
    const auto block = plan.block_of_stops();
    const auto ways = plan.way_to_stops();
    const auto here = q.grid.coordinates(q.rank());
    std::vector<bool> delivered(block.size(), false);
    for (const auto& delivery : plan.deliveries())
        delivered[static_cast<std::size_t>(delivery.stop)] = true;
    const auto d = static_cast<std::size_t>(plan.dimensions());
    for (auto stop = static_cast<std::size_t>(plan.blocks()); stop < block.size(); ++stop)
        if (!delivered[stop])
            transit.push_back(json::object{
                {"block", block[stop]},
                {"origin", q.grid.rank_at(here, std::span(ways).subspan(stop * d, d), -1)}});
    return transit;
}

json::object described(const Question& q, const choose::GridPlan& choice) {
    const auto schedule = q.planner.placed(choice, q.operation, q.rank(), q.block_bytes);
    auto result = counts(q, choice);
    result["plan"] = rounds_of(choice.plan());
    result["ways"] = ways_of(choice.plan());
    if (q.nodes.asked()) result["nodes_of_ways"] = nodes_of_ways(q, choice.plan());
    result["transit"] = transit_of(q, choice);
    result["schedule"] = json::parse(schedule::to_json(schedule));
    return result;
}

/// The verifier's complaints about the schedules of some ranks, as far as these depend on others.
json::object verified_samples(const Question& q, const choose::GridPlan& choice) {
    const auto ranks = static_cast<int>(q.grid.size());
    schedule::SampledRanks sampled(ranks, [&](int rank) {
        return q.planner.placed(choice, q.operation, rank, q.block_bytes);
    });
    for (const int rank : q.samples) sampled.add(rank);
    const auto expected = sampled.expected([&](int rank) {
        return schedule::expected_at(rank, q.operation, q.grid, q.stencil, q.block_bytes);
    });
    auto answer = verdict(choice.name(), sampled.schedules(), expected);
    answer["sampled"] = q.samples.size();
    answer["run"] = sampled.involved();
    return answer;
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

template <typename Describe>
json::array per_plan(const std::vector<choose::GridPlan>& plans, Describe describe) {
    json::array described;
    for (const auto& plan : plans) described.push_back(describe(plan));
    return described;
}

}  // namespace

json::object explain(Question& q) {
    auto answer = about(q);
    answer["rules"] = per_plan(q.all_plans(), [&q](const auto& plan) { return counts(q, plan); });
    answer["automatic"] = q.planner.cheapest(q.operation, q.block_bytes, q.nodes.machine()).name();
    answer["choice"] = q.algorithm == "auto" ? answer["automatic"] : json::value(q.asked_for());
    return answer;
}

json::object plan(Question& q) {
    auto answer = explain(q);
    answer["offsets"] = offsets_of(q.stencil);
    answer["rules"] = per_plan(q.plans(), [&q](const auto& plan) { return described(q, plan); });
    return answer;
}

json::object verify(Question& q) {
    auto answer = about(q);
    answer["rules"] = per_plan(q.plans(), [&q](const choose::GridPlan& choice) {
        if (!q.samples.empty()) return verified_samples(q, choice);
        const auto schedules = of_all_ranks(q, choice);
        return verdict(choice.name(), schedules, expected(q));
    });
    return answer;
}

json::object stencils() {
    json::array families;
    for (const auto& family : topology::stencil_families()) {
        const auto example = topology::stencil_from_text(std::string(family.example));
        families.push_back(json::object{{"name", family.name},
                                        {"alias", family.alias},
                                        {"arguments", family.arguments},
                                        {"summary", family.summary},
                                        {"example", family.example},
                                        {"offsets", offsets_of(example)}});
    }
    return {{"stencils", families}};
}

json::object graphs() {
    json::array families;
    for (const auto& family : topology::graph_families())
        families.push_back(json::object{{"name", family.name},
                                        {"arguments", family.arguments},
                                        {"summary", family.summary},
                                        {"example", family.example}});
    return {{"graphs", families}};
}

json::object algorithms() {
    json::array rules;
    for (const auto* rule : routing::rules())
        rules.push_back(json::object{{"name", rule->name},
                                     {"summary", rule->summary},
                                     {"automatic", rule->automatic},
                                     {"grids", rule->plan != nullptr},
                                     {"graphs", rule->route != nullptr}});
    json::array operations;
    for (const auto operation : schedule::operations())
        operations.emplace_back(schedule::name_of(operation));
    return {{"algorithms", rules},
            {"operations", operations},
            {"collectives", collective_algorithms()}};
}

}  // namespace cli
