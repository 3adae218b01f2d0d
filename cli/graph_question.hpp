// SPDX-License-Identifier: MIT
#pragma once

#include "choose/graph_planner.hpp"
#include "node_question.hpp"
#include "routing/rule.hpp"
#include "shared_values.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cli {

/// A question about an exchange on a graph, read from JSON:
///   {"graph": "random 64 density 0.2", "operation": "alltoall", "block_bytes": [64],
///    "alpha": 1e-6, "beta": 1e-9, "sigma": 0, "algorithm": "mesh", "rank": null, "theta": 4,
///    "digits": "2", "rearrange": "auto"}
/// It may also have "carriers" for the rule node, such as 1, and, if nodes are distinguished, what
/// NodeQuestion reads. "graph" may also be that of an EdgeFile, or {"grid": "torus 4x4", "stencil":
/// "moore 2 1"}. Where edges carry numbers of values, a block is one value of an alltoall; the
/// other operations have one block for each edge, as on graphs without values. With "auto" all
/// rules are answered; a caller that shows progress asks for one rule at a time. Throws
/// std::invalid_argument, also for a question that would take too long to plan.
class GraphQuestion {
public:
    explicit GraphQuestion(const boost::json::object& json);

    /// The rules that the question is about: the one that is named, or all.
    std::vector<const carpool::routing::Rule*> rules() const;

    int ranks() const { return static_cast<int>(planner.graph().size()); }

    const std::shared_ptr<const SharedValues> values;  ///< null where edges carry blocks
    const NodeQuestion nodes;
    const carpool::choose::GraphPlanner planner;
    const carpool::choose::GraphPlanner mapped_planner;  ///< for reordered ranks
    const std::int64_t block_bytes;
    const carpool::choose::CostModel model;
    const std::string algorithm;
    const int rank;  ///< 0 unless one is asked for

private:
    /// What is asked about.
    struct Asked {
        explicit Asked(const boost::json::object& json);

        carpool::topology::Graph graph;
        std::shared_ptr<const SharedValues> values;
        std::shared_ptr<const std::vector<int>> weights;  ///< the same values, edge by edge
    };

    GraphQuestion(const boost::json::object& json, Asked asked);
};

}  // namespace cli
