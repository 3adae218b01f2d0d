#pragma once

#include "choose/cost_model.hpp"
#include "routing/rule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace carpool::choose {

/// A rule and what it makes of a neighborhood.
struct Choice {
    const routing::Rule* rule;
    std::shared_ptr<const routing::Plan> plan;
};

/// Plans one neighborhood on its grid, each rule and pattern once, at first need.
class Planner {
public:
    Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood)
        : grid_(grid), neighborhood_(neighborhood) {}

    Choice planned(const routing::Rule& rule, routing::Pattern pattern);

    /// The rule of least estimated cost; of equal ones the simpler. For blocks of m bytes and sigma
    /// 0 that is the cut-off of [2] §3.1: combine while m < alpha/beta * (t-C)/(V-t).
    Choice cheapest(routing::Pattern pattern, std::span<const std::int64_t> block_bytes,
                    const CostModel& model);

private:
    const topology::Grid& grid_;
    const topology::Neighborhood& neighborhood_;
    std::mutex mutex_;
    std::map<std::pair<const routing::Rule*, routing::Pattern>,
             std::shared_ptr<const routing::Plan>>
        plans_;
};

}  // namespace carpool::choose
