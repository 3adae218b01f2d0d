#pragma once

#include "choose/grid_load.hpp"
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
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace carpool::choose {

/// A plan, and what costs depend on.
struct CountedPlan {
    explicit CountedPlan(routing::Plan made);

    routing::Plan plan;
    std::vector<RoundLoad> rounds;  ///< without bytes
    std::vector<std::int64_t> rounds_by_phase;
    std::vector<std::int64_t> hops;  ///< per send block, the moves that carry it or copies of it
};

/// A rule and what it makes of a neighborhood for an operation.
struct GridPlan {
    const routing::Rule* rule;
    const topology::Grid* grid;  ///< the planner's
    std::shared_ptr<const CountedPlan> counted;
    std::shared_ptr<const routing::PartialSums> sums;  ///< of reductions
    routing::Limits limits = {};  ///< tells it from others of the rule, where there are several

    const routing::Plan& plan() const { return counted->plan; }

    /// As it may be asked for.
    std::string name() const { return text_of(routing::NamedRule{rule, limits}); }

    /// Blocks that a rank sends when none is pruned: V or W.
    std::int64_t volume() const;

    /// The same in bytes. @param block_bytes  per send block of the plan, one for a reduction
    std::int64_t bytes(std::span<const std::int64_t> block_bytes) const;

    Load load(std::span<const std::int64_t> block_bytes, const Machine& machine) const;

private:
    std::vector<RoundLoad> rounds(std::span<const std::int64_t> block_bytes) const;
};

/// Plans one neighborhood on its grid, each rule and operation once, at first need.
///
/// Routes take the shorter way round a torus. So positions that lead to one rank share its messages
/// and, where all get one block, the block; what leads back to the rank itself is a copy.
class Planner {
public:
    Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood);

    GridPlan planned(const routing::Rule& rule, schedule::Operation operation);

    /// The same, of a rule with several plans the one within the limits.
    /// @param block_bytes  by which plans are searched for, as for GridPlan::bytes; none, or all
    /// alike, for plans that suit equal blocks
    GridPlan planned(const routing::Rule& rule, schedule::Operation operation,
                     const routing::Limits& limits, std::span<const std::int64_t> block_bytes = {});

    /// The other plans of a rule that has several, by ascending rounds: none that counts as much as
    /// that of an automatic rule.
    std::vector<GridPlan> others(const routing::Rule& rule, schedule::Operation operation,
                                 std::span<const std::int64_t> block_bytes = {});

    /// All that `auto` compares, the simplest first.
    std::vector<GridPlan> automatic(schedule::Operation operation,
                                    std::span<const std::int64_t> block_bytes = {});

    /// The plan of least estimated cost; of equal ones the simpler. For blocks of m bytes and sigma
    /// 0 that is the cut-off of [2] §3.1: combine while m < alpha/beta * (t-C)/(V-t).
    GridPlan cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                      const Machine& machine);

    /// What one rank does. @param block_bytes  as for GridPlan::bytes
    schedule::Schedule placed(const GridPlan& plan, schedule::Operation operation, int rank,
                              std::span<const std::int64_t> block_bytes) const;

private:
    using Plans = std::vector<std::shared_ptr<const CountedPlan>>;
    using Weights = std::vector<std::int64_t>;

    const Plans& plans(const routing::Rule& rule, routing::Pattern pattern, const Weights& weights);
    std::shared_ptr<const CountedPlan> plan(const routing::Rule& rule, routing::Pattern pattern);
    std::shared_ptr<const routing::PartialSums> sums(
        const std::shared_ptr<const CountedPlan>& counted, schedule::Operation operation);
    GridPlan grid_plan(const routing::Rule& rule, schedule::Operation operation,
                       const std::shared_ptr<const CountedPlan>& counted,
                       const routing::Limits& limits = {});

    const topology::Grid& grid_;
    const topology::Neighborhood neighborhood_;
    std::mutex mutex_;
    std::map<std::pair<const routing::Rule*, routing::Pattern>, std::shared_ptr<const CountedPlan>>
        plans_;
    std::map<std::tuple<const routing::Rule*, routing::Pattern, Weights>, Plans> several_;
    std::map<std::pair<std::shared_ptr<const CountedPlan>, schedule::Operation>,
             std::shared_ptr<const routing::PartialSums>>
        sums_;
};

}  // namespace carpool::choose
