#include "choose/graph_planner.hpp"

#include "schedule/place_itinerary.hpp"

#include <utility>

namespace carpool::choose {

GraphPlanner::GraphPlanner(topology::Graph graph, schedule::Operation operation,
                           routing::RouteOptions options)
    : graph_(std::move(graph)), operation_(operation), options_(std::move(options)) {
    if (!schedule::reduces(operation)) return;
    for (const auto& edges : graph_) transposed_.push_back(topology::transposed(edges));
}

GraphPlan GraphPlanner::planned(const routing::Rule& rule) const {
    const auto& graph = schedule::reduces(operation_) ? transposed_ : graph_;
    const int ranks = static_cast<int>(graph.size());
    auto simulated = routing::simulate<routing::Itinerary>(ranks, [&](int rank) {
        return rule.route({rank, ranks, &graph[static_cast<std::size_t>(rank)], options_},
                          schedule::pattern_of(operation_));
    });
    GraphPlan plan{std::move(simulated.results), std::move(simulated.traffic), {}};
    for (int rank = 0; rank < ranks; ++rank)
        plan.load = most(plan.load, load_of(plan.routes[static_cast<std::size_t>(rank)], rank,
                                            Machine::anywhere()));
    return plan;
}

schedule::Schedule GraphPlanner::placed(const GraphPlan& plan, int rank,
                                        std::int64_t block_bytes) const {
    const auto r = static_cast<std::size_t>(rank);
    return schedule::place(plan.routes[r], operation_, graph_[r], plan.load.phases, block_bytes);
}

}  // namespace carpool::choose
