// SPDX-License-Identifier: MIT
#pragma once

#include "choose/planner.hpp"
#include "node_question.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// A rank far from any border.
int middle_of(const carpool::topology::Grid& grid);

/// A question about an exchange on a grid, read from JSON:
///   {"grid": "torus 4x4", "stencil": "moore 2 1", "operation": "alltoall", "block_bytes": [64],
///    "alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ports": 1, "algorithm": "auto", "rank": null}
/// and, if nodes are distinguished, what NodeQuestion reads; "as_printed": true for
/// Grid::with_offsets_as_given; and "sample": 100, the number of random ranks to verify. A single
/// size in block_bytes is that of all blocks. Throws std::invalid_argument, also for a question
/// that would take too long to plan.
class Question {
public:
    explicit Question(const boost::json::object& json);
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    /// Every plan of every rule.
    std::vector<carpool::choose::GridPlan> all_plans();

    /// The plans that the question is about: the one that is named, or all.
    std::vector<carpool::choose::GridPlan> plans();

    /// The name of the plan that was asked for, or "auto".
    std::string asked_for();

    /// The rank that is asked for, or one far from any border.
    int rank() const { return rank_; }

    /// Bytes per unit of an offset's weight in reordering.
    std::int64_t bytes_per_weight() const;

    const carpool::topology::Grid grid;
    const carpool::topology::Neighborhood stencil;
    const carpool::schedule::Operation operation;
    const std::vector<std::int64_t> block_bytes;  ///< per send block of a plan
    const carpool::choose::CostModel model;
    const std::string algorithm;
    carpool::choose::Planner planner;
    const NodeQuestion nodes;
    const std::vector<int> samples;  ///< ranks to verify; none for all

private:
    carpool::choose::GridPlan named();

    int rank_;
};

}  // namespace cli
