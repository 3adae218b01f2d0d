// SPDX-License-Identifier: MIT
#include "choose/graph_planner.hpp"

#include "choose/overload.hpp"
#include "routing/arrangement.hpp"
#include "routing/edges_of_stops.hpp"
#include "schedule/place_itinerary.hpp"

#include <span>
#include <utility>

namespace carpool::choose {
namespace {

Traffic sent_by_all(const GraphPlan& plan) {
    Traffic all;
    for (const auto& itinerary : plan.routes) {
        all.blocks += itinerary.blocks_sent();
        all.bytes += itinerary.bytes_sent();
    }
    return all;
}

/// Gives each stop the weight of the edge whose block rests there.
void weigh(GraphPlan& plan, const std::vector<int>& weights) {
    plan.edges = routing::edges_of_stops(plan.routes);
    for (std::size_t rank = 0; rank < plan.routes.size(); ++rank)
        for (int stop = 0; stop < plan.routes[rank].stops(); ++stop) {
            const int edge = plan.edges[rank][static_cast<std::size_t>(stop)];
            plan.routes[rank].weigh(stop, weights[static_cast<std::size_t>(edge)]);
        }
}

}  // namespace

GraphPlanner::GraphPlanner(topology::Graph graph, schedule::Operation operation,
                           routing::RouteOptions options, bool rearranges,
                           std::shared_ptr<const topology::Nodes> nodes,
                           std::shared_ptr<const std::vector<int>> weights)
    : graph_(std::move(graph)),
      operation_(operation),
      options_(std::move(options)),
      rearranges_(rearranges),
      nodes_(std::move(nodes)),
      weights_(std::move(weights)) {
    if (!schedule::reduces(operation)) return;
    for (const auto& edges : graph_) transposed_.push_back(topology::transposed(edges));
}

GraphPlan GraphPlanner::planned(const routing::Rule& rule) const {
    auto best = planned_by(rule, 0);
    if (!rearranges_ || !rule.rearranges ||
        !overloaded(best.load, sent_by_all(best), static_cast<int>(graph_.size()),
                    planned_by(routing::direct, 0).load))
        return best;
    const auto by_number = best.load;
    for (int arrangement = 1; arrangement <= arrangements; ++arrangement) {
        auto other = planned_by(rule, arrangement);
        if (clearly_less(other.load, by_number) && weight(other.load) < weight(best.load))
            best = std::move(other);
    }
    best.by_number = by_number;
    return best;
}

GraphPlan GraphPlanner::planned_by(const routing::Rule& rule, int arrangement) const {
    const auto& graph = schedule::reduces(operation_) ? transposed_ : graph_;
    const int ranks = static_cast<int>(graph.size());
    auto options = options_;
    options.arrangement = arrangement;
    const auto places = routing::arrangement_of(ranks, arrangement);
    auto simulated = routing::simulate<routing::Itinerary>(ranks, [&](int rank) {
        return rule.route({rank, ranks, &graph[static_cast<std::size_t>(rank)], options, nullptr,
                           nodes_.get(), places},
                          schedule::pattern_of(operation_));
    });
    GraphPlan plan{std::move(simulated.results), std::move(simulated.traffic), {}, arrangement, {}};
    if (weights_) weigh(plan, *weights_);
    GraphLoad load(nodes_);
    plan.loads.reserve(plan.routes.size());
    for (int rank = 0; rank < ranks; ++rank)
        plan.loads.push_back(load.add(rank, plan.routes[static_cast<std::size_t>(rank)]));
    plan.load = plan.by_number = load.of_busiest();
    return plan;
}

schedule::Schedule GraphPlanner::placed(const GraphPlan& plan, int rank,
                                        std::int64_t block_bytes) const {
    const auto r = static_cast<std::size_t>(rank);
    const auto positions = static_cast<int>(graph_[r].in.size());
    if (weights_) return schedule::place_sized(plan.routes[r], positions, block_bytes);
    return schedule::place(plan.routes[r], operation_, graph_[r], plan.load.phases,
                           std::span(&block_bytes, 1));
}

}  // namespace carpool::choose
