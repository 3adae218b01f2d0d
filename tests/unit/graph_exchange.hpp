#pragma once

#include "routing/rule.hpp"
#include "routing/simulation.hpp"
#include "schedule/expected.hpp"
#include "schedule/operation.hpp"
#include "schedule/place_itinerary.hpp"
#include "schedule/verify.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// One exchange on a graph, by any rule: planned by all ranks in one process.
struct GraphExchange {
    carpool::topology::Graph graph;
    carpool::schedule::Operation operation;
    int theta = 4;
    std::int64_t bytes = 8;

    carpool::topology::Graph planned_graph() const {
        auto planned = graph;
        if (carpool::schedule::reduces(operation))
            for (auto& edges : planned) edges = carpool::topology::transposed(edges);
        return planned;
    }

    carpool::routing::Simulated<carpool::routing::Itinerary> routes(
        const carpool::routing::Rule& rule) const {
        const auto planned = planned_graph();
        const auto pattern = carpool::schedule::pattern_of(operation);
        const int ranks = static_cast<int>(planned.size());
        return carpool::routing::simulate<carpool::routing::Itinerary>(ranks, [&](int rank) {
            const auto& edges = planned[static_cast<std::size_t>(rank)];
            return rule.route({rank, ranks, &edges, theta}, pattern);
        });
    }

    std::vector<carpool::schedule::Schedule> schedules(const carpool::routing::Rule& rule) const {
        std::vector<carpool::schedule::Schedule> schedules;
        const auto simulated = routes(rule);
        for (std::size_t rank = 0; rank < graph.size(); ++rank)
            schedules.push_back(placed(simulated.results[rank], graph[rank]));
        return schedules;
    }

    carpool::schedule::Schedule placed(const carpool::routing::Itinerary& itinerary,
                                       const carpool::topology::Adjacency& edges) const {
        using namespace carpool::schedule;
        if (!reduces(operation)) return place(itinerary, static_cast<int>(edges.in.size()), bytes);
        const auto blocks = sends_one_block(operation) ? 1 : static_cast<int>(edges.out.size());
        return place_sums(itinerary, operation, blocks, bytes);
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
