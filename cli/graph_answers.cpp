// SPDX-License-Identifier: MIT
#include "graph_answers.hpp"

#include "block_names.hpp"
#include "fields.hpp"
#include "schedule/expected.hpp"
#include "schedule/json.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;
using choose::GraphPlan;

/// The least, the most and the mean of a count over all ranks.
class Spread {
public:
    void add(std::int64_t count) {
        least_ = ranks_ == 0 ? count : std::min(least_, count);
        most_ = std::max(most_, count);
        sum_ += count;
        ++ranks_;
    }

    std::int64_t sum() const { return sum_; }
    std::int64_t most() const { return most_; }
    double mean() const { return static_cast<double>(sum_) / static_cast<double>(ranks_); }
    json::object to_json() const { return {{"least", least_}, {"mean", mean()}, {"most", most_}}; }

private:
    std::int64_t least_ = 0;
    std::int64_t most_ = 0;
    std::int64_t sum_ = 0;
    std::int64_t ranks_ = 0;
};

template <typename T, typename Count>
Spread spread(const std::vector<T>& all, Count count) {
    Spread spread;
    for (const auto& one : all) spread.add(static_cast<std::int64_t>(count(one)));
    return spread;
}

/// The number of edges with a neighbor; off a mesh there is none.
std::ptrdiff_t existing(const std::vector<topology::Edge>& edges) {
    return std::count_if(edges.begin(), edges.end(),
                         [](const auto& edge) { return edge.peer != topology::no_rank; });
}

/// Values that pass between nodes, in the order of ranks that the answer is about.
json::object crossings(const GraphQuestion& q) {
    const auto& nodes = q.nodes.machine().nodes();
    const auto found = nodes ? q.values->crossings(*nodes) : SharedValues::Crossings{};
    return {{"by_ranks", found.by_ranks}, {"by_nodes", found.by_nodes}};
}

json::object about(const GraphQuestion& q) {
    const auto& graph = q.planner.graph();
    const auto out = spread(graph, [](const auto& edges) { return existing(edges.out); });
    const auto in = spread(graph, [](const auto& edges) { return existing(edges.in); });
    json::object about{{"ranks", q.ranks()},
                       {"edges", out.sum()},
                       {"degrees", json::object{{"out", out.to_json()}, {"in", in.to_json()}}},
                       {"operation", schedule::name_of(q.planner.operation())},
                       {"reduces", schedule::reduces(q.planner.operation())},
                       {"block_bytes", json::array{q.block_bytes}},
                       {"alpha", q.model.alpha},
                       {"beta", q.model.beta},
                       {"sigma", q.model.sigma},
                       {"ports", q.model.ports},
                       {"rank", q.rank}};
    about["values"] = q.values != nullptr;
    if (!q.nodes.asked()) return about;
    auto nodes = q.nodes.about(q.block_bytes);
    if (q.values && q.values->known()) nodes["values"] = crossings(q);
    about["nodes"] = std::move(nodes);
    return about;
}

constexpr std::int64_t message_word = sizeof(int);
constexpr std::int64_t board_word = sizeof(std::uint64_t);

/// What it costs the ranks to make the plan together.
json::object planning(const std::vector<routing::SuperstepTraffic>& traffic) {
    const auto messages = spread(traffic, [](const auto& one) { return one.messages; });
    const auto bytes = spread(traffic, [](const auto& one) { return one.words * message_word; });
    return {{"supersteps", traffic.front().supersteps},
            {"messages", messages.most()},
            {"mean_messages", messages.mean()},
            {"bytes", bytes.most()},
            {"mean_bytes", bytes.mean()},
            {"board_bytes", traffic.front().board_words * board_word}};
}

constexpr std::int64_t most_moved = 1 << 24;

[[noreturn]] void refuse_size(const std::string& what) {
    throw std::invalid_argument(what +
                                ", expected at most 2^24 to run them all here; a smaller "
                                "graph of the same kind shows the same");
}

std::int64_t edges_of(const GraphQuestion& q) {
    return spread(q.planner.graph(), [](const auto& edges) { return edges.out.size(); }).sum();
}

/// The blocks moved and delivered on all ranks must fit into memory. If the edges alone do not, no
/// plan is made.
void check_size(const GraphQuestion& q) {
    if (2 * edges_of(q) > most_moved)
        refuse_size(std::to_string(edges_of(q)) + " edges are as many blocks to move and deliver");
}

void check_size(const GraphQuestion& q, const routing::Rule& rule, const GraphPlan& plan) {
    const auto moved = spread(plan.routes, [](const auto& one) { return one.blocks_sent(); }).sum();
    if (moved + edges_of(q) > most_moved)
        refuse_size(std::string(rule.name) + " moves " + std::to_string(moved) +
                    " blocks and delivers " + std::to_string(edges_of(q)));
}

std::vector<schedule::Schedule> of_all_ranks(const GraphQuestion& q, const routing::Rule& rule,
                                             const GraphPlan& plan) {
    check_size(q, rule, plan);
    std::vector<schedule::Schedule> schedules;
    for (int rank = 0; rank < q.ranks(); ++rank)
        schedules.push_back(q.planner.placed(plan, rank, q.block_bytes));
    return schedules;
}

/// A load where blocks, or their values, have this many bytes.
choose::Load with_blocks_of(const GraphQuestion& q, const choose::Load& load, std::int64_t bytes) {
    if (bytes == 0) return {};
    return q.values ? load.times(bytes) : load.with_blocks_of(bytes);
}

choose::Load with_blocks(const GraphQuestion& q, const choose::Load& load) {
    return with_blocks_of(q, load, q.block_bytes);
}

json::object on_nodes(const GraphQuestion& q, const choose::Machine& machine,
                      const GraphPlan& plan) {
    NodeCounts counts(machine);
    for (const auto& load : plan.loads) counts.add(with_blocks(q, load));
    return counts.to_json(with_blocks(q, plan.load));
}

json::object on_nodes_without_repeats(const GraphQuestion& q, const choose::Machine& machine,
                                      const GraphPlan& plan) {
    const auto values = q.values->in_messages(plan);
    NodeCounts counts(machine);
    choose::GraphLoad load(machine.nodes());
    for (int rank = 0; rank < q.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        counts.add(with_blocks(q, load.add(rank, plan.routes[r], &values[r])));
    }
    return counts.to_json(with_blocks(q, load.of_busiest()));
}

/// The counts, and beside them those without repeats, where it is known which values are the same.
json::object counts_on_nodes(const GraphQuestion& q, const choose::Machine& machine,
                             const GraphPlan& plan) {
    auto counts = on_nodes(q, machine, plan);
    if (q.values && q.values->known()) counts["once"] = on_nodes_without_repeats(q, machine, plan);
    return counts;
}

/// Rules may depend on nodes, so the plan is made for the other order, too.
json::object counts_in_orders(const GraphQuestion& q, const routing::Rule& rule,
                              const GraphPlan& plan) {
    auto counts = counts_on_nodes(q, q.nodes.machine(), plan);
    if (q.nodes.compares())
        counts["reordered"] = counts_on_nodes(q, q.nodes.mapped(), q.mapped_planner.planned(rule));
    return counts;
}

json::object counts(const GraphQuestion& q, const routing::Rule& rule, const GraphPlan& plan) {
    const auto load = with_blocks(q, plan.load);
    const std::int64_t sent = q.block_bytes == 0 ? 0 : 1;  // of each message and block
    const auto messages =
        spread(plan.routes, [&](const auto& one) { return sent * std::ssize(one.sends()); });
    const auto blocks =
        spread(plan.routes, [&](const auto& one) { return sent * one.blocks_sent(); });
    json::object result{{"name", rule.name},
                        {"summary", rule.summary},
                        {"automatic", rule.automatic},
                        {"arrangement", plan.arrangement},
                        {"blocks_by_number", plan.by_number.blocks()},
                        {"messages", load.messages()},
                        {"mean_messages", messages.mean()},
                        {"phases", load.phases},
                        {"blocks", load.blocks()},
                        {"mean_blocks", blocks.mean()},
                        {"bytes", load.bytes()},
                        {"starts", choose::starts(load, q.model.ports)},
                        {"estimate", choose::estimate(q.nodes.machine(), load)},
                        {"planning", planning(plan.traffic)}};
    if (q.nodes.asked()) result["nodes"] = counts_in_orders(q, rule, plan);
    const auto& machine = q.nodes.machine();
    if (machine.overlaps())
        result["line"] = line_through([&](std::int64_t bytes) {
            return choose::estimate(machine, with_blocks_of(q, plan.load, bytes));
        });
    return result;
}

json::array peers(const std::vector<topology::Edge>& edges) {
    json::array peers;
    for (const auto& edge : edges) peers.emplace_back(edge.peer);
    return peers;
}

/// For each temporary slot, the block that it holds; empty for reductions. Slots are numbered as
/// place() does.
json::array transit_of(const GraphQuestion& q, const GraphPlan& plan) {
    json::array transit;
    if (schedule::reduces(q.planner.operation())) return transit;
    const auto& itinerary = plan.routes[static_cast<std::size_t>(q.rank)];
    std::vector<bool> delivered(static_cast<std::size_t>(itinerary.stops()), false);
    for (const auto& [stop, position] : itinerary.deliveries())
        delivered[static_cast<std::size_t>(stop)] = true;
    BlockNames names(plan.routes);
    for (int stop = itinerary.blocks(); stop < itinerary.stops(); ++stop) {
        if (delivered[static_cast<std::size_t>(stop)]) continue;
        const auto [origin, block] = names.origin(q.rank, stop);
        json::object named{{"origin", origin}};
        if (!schedule::sends_one_block(q.planner.operation()))
            named["target"] = q.planner.graph()[static_cast<std::size_t>(origin)]
                                  .out[static_cast<std::size_t>(block)]
                                  .peer;
        transit.push_back(std::move(named));
    }
    return transit;
}

json::object described(const GraphQuestion& q, const routing::Rule& rule) {
    const auto plan = q.planner.planned(rule);
    auto result = counts(q, rule, plan);
    result["transit"] = transit_of(q, plan);
    result["schedule"] =
        json::parse(schedule::to_json(q.planner.placed(plan, q.rank, q.block_bytes)));
    return result;
}

schedule::Postcondition expected(const GraphQuestion& q) {
    std::vector<std::vector<std::int64_t>> sizes;
    auto weight = q.planner.weights().begin();
    for (const auto& edges : q.planner.graph()) {
        sizes.emplace_back(std::max<std::size_t>(1, edges.out.size()), q.block_bytes);
        if (q.planner.weights().empty()) continue;
        for (std::size_t i = 0; i < edges.out.size(); ++i) sizes.back()[i] *= *weight++;
    }
    return schedule::expected(q.planner.operation(), q.planner.graph(), sizes);
}

json::object verified(const GraphQuestion& q, const routing::Rule& rule) {
    check_size(q);
    const auto plan = q.planner.planned(rule);
    const auto schedules = of_all_ranks(q, rule, plan);
    return verdict(rule.name, schedules, expected(q));
}

template <typename Describe>
json::object per_rule(const GraphQuestion& q, Describe describe) {
    auto answer = about(q);
    json::array rules;
    for (const auto* rule : q.rules()) rules.push_back(describe(*rule));
    answer["rules"] = std::move(rules);
    return answer;
}

/// Keeps the plan until the process ends, which frees it at once; piece by piece takes as long as
/// to make it.
void leave_to_exit(std::unique_ptr<const GraphPlan> plan) {
    static auto& kept = *new std::vector<std::unique_ptr<const GraphPlan>>;
    kept.push_back(std::move(plan));
}

}  // namespace

json::object explain(const GraphQuestion& q) {
    return per_rule(q, [&q](const auto& rule) {
        auto plan = std::make_unique<GraphPlan>(q.planner.planned(rule));
        auto found = counts(q, rule, *plan);
        if (q.rules().size() == 1) leave_to_exit(std::move(plan));
        return found;
    });
}

json::object plan(const GraphQuestion& q) {
    auto answer = per_rule(q, [&q](const auto& rule) { return described(q, rule); });
    const auto& edges = q.planner.graph()[static_cast<std::size_t>(q.rank)];
    answer["targets"] = peers(edges.out);
    answer["sources"] = peers(edges.in);
    return answer;
}

json::object verify(const GraphQuestion& q) {
    return per_rule(q, [&q](const auto& rule) { return verified(q, rule); });
}

}  // namespace cli
