#pragma once

#include "choose/load.hpp"
#include "routing/partial_sums.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"
#include "schedule/schedule.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace carpool::choose {

/// A rule and what it makes of a neighborhood for an operation.
struct GridPlan {
    const routing::Rule* rule;
    std::shared_ptr<const routing::Plan> plan;
    std::shared_ptr<const routing::PartialSums> sums;  ///< of reductions

    /// Blocks that a rank sends when none is pruned: V or W.
    std::int64_t volume() const;

    /// The same in bytes. @param block_bytes  per send block of the plan, one for a reduction
    std::int64_t bytes(std::span<const std::int64_t> block_bytes) const;

    Load load(std::span<const std::int64_t> block_bytes, const Machine& machine) const;
};

/// Plans one neighborhood on its grid, each rule and operation once, at first need.
///
/// Routes take the shorter way round a torus. So positions that lead to one rank share its messages
/// and, where all get one block, the block; what leads back to the rank itself is a copy.
class Planner {
public:
    Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood);

    GridPlan planned(const routing::Rule& rule, schedule::Operation operation);

    /// The rule of least estimated cost; of equal ones the simpler. For blocks of m bytes and sigma
    /// 0 that is the cut-off of [2] §3.1: combine while m < alpha/beta * (t-C)/(V-t).
    GridPlan cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                      const Machine& machine);

    /// What one rank does. @param block_bytes  as for GridPlan::bytes
    schedule::Schedule placed(const GridPlan& plan, schedule::Operation operation, int rank,
                              std::span<const std::int64_t> block_bytes) const;

private:
    std::shared_ptr<const routing::Plan> plan(const routing::Rule& rule, routing::Pattern pattern);
    std::shared_ptr<const routing::PartialSums> sums(const routing::Rule& rule,
                                                     schedule::Operation operation);

    const topology::Grid& grid_;
    const topology::Neighborhood neighborhood_;
    std::mutex mutex_;
    std::map<std::pair<const routing::Rule*, routing::Pattern>,
             std::shared_ptr<const routing::Plan>>
        plans_;
    std::map<std::pair<const routing::Rule*, schedule::Operation>,
             std::shared_ptr<const routing::PartialSums>>
        sums_;
};

}  // namespace carpool::choose
