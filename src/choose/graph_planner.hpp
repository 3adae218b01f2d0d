// SPDX-License-Identifier: MIT
#pragma once

#include "choose/graph_load.hpp"
#include "routing/rule.hpp"
#include "routing/simulation.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::choose {

/// The plan of a rule for a graph and an operation, on all ranks.
struct GraphPlan {
    std::vector<routing::Itinerary> routes;  ///< per rank; a reduction runs them backwards
    std::vector<routing::SuperstepTraffic>
        traffic;                   ///< the traffic of the planning itself, per rank
    Load load;                     ///< the load of the busiest rank
    int arrangement = 0;           ///< the arrangement of the ranks in a virtual topology
    Load by_number = {};           ///< the load of arrangement 0
    std::vector<Load> loads = {};  ///< per rank
    /// The edge whose block rests at each stop, per rank; for blocks of different weights.
    std::vector<std::vector<int>> edges = {};
};

/// Plans a graph for all of its ranks, in one process.
class GraphPlanner {
public:
    /// @param rearranges  ranks may change places in a virtual topology that is overloaded
    /// @param nodes  null for a single node
    /// @param weights  of an alltoall: sizes of the blocks in units of one size, edge by edge, as
    /// in routing::edges_of_stops; null if all blocks are alike
    GraphPlanner(topology::Graph graph, schedule::Operation operation,
                 routing::RouteOptions options, bool rearranges = false,
                 std::shared_ptr<const topology::Nodes> nodes = nullptr,
                 std::shared_ptr<const std::vector<int>> weights = nullptr);

    const topology::Graph& graph() const { return graph_; }
    schedule::Operation operation() const { return operation_; }
    const routing::RouteOptions& options() const { return options_; }

    /// None if all blocks are alike.
    std::span<const int> weights() const {
        return weights_ ? std::span<const int>(*weights_) : std::span<const int>();
    }

    /// The routes and their load, which has bytes if blocks have weights: one for each unit.
    /// @pre the rule routes on graphs
    GraphPlan planned(const routing::Rule& rule) const;

    /// The schedule of one rank, for blocks of that size, or units of it.
    schedule::Schedule placed(const GraphPlan& plan, int rank, std::int64_t block_bytes) const;

private:
    GraphPlan planned_by(const routing::Rule& rule, int arrangement) const;

    topology::Graph graph_;
    topology::Graph transposed_;  // for reductions
    schedule::Operation operation_;
    routing::RouteOptions options_;
    bool rearranges_;
    std::shared_ptr<const topology::Nodes> nodes_;
    std::shared_ptr<const std::vector<int>> weights_;
};

}  // namespace carpool::choose
