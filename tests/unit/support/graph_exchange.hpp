// SPDX-License-Identifier: MIT
#pragma once

#include "choose/graph_planner.hpp"
#include "exchange.hpp"
#include "routing/rule.hpp"
#include "schedule/expected.hpp"
#include "schedule/operation.hpp"
#include "schedule/verify.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// One exchange on a graph, by any rule: planned by all ranks in one process.
struct GraphExchange {
    carpool::topology::Graph graph;
    carpool::schedule::Operation operation;
    carpool::routing::RouteOptions options = {};
    std::int64_t bytes = 8;
    std::shared_ptr<const carpool::topology::Nodes> nodes = nullptr;

    carpool::choose::GraphPlanner planner() const {
        return {graph, operation, options, false, nodes};
    }

    std::vector<carpool::schedule::Schedule> schedules(const carpool::routing::Rule& rule) const {
        std::vector<carpool::schedule::Schedule> schedules;
        const auto all = planner();
        const auto plan = all.planned(rule);
        for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank)
            schedules.push_back(all.placed(plan, rank, bytes));
        return schedules;
    }

    carpool::schedule::Postcondition expected() const {
        std::vector<std::vector<std::int64_t>> sizes;
        for (const auto& edges : graph) sizes.emplace_back(edges.out.size() + 1, bytes);
        return carpool::schedule::expected(operation, graph, sizes);
    }

    std::vector<std::string> complaints(const carpool::routing::Rule& rule) const {
        return carpool::schedule::verify(schedules(rule), expected());
    }
};
