// SPDX-License-Identifier: MIT
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

/// A plan, and the numbers on which its cost depends.
struct CountedPlan {
    explicit CountedPlan(routing::Plan made);

    routing::Plan plan;
    std::vector<RoundLoad> rounds;  ///< without bytes
    std::vector<std::int64_t> rounds_by_phase;
    std::vector<std::int64_t> hops;  ///< per send block, the moves that carry it or copies of it
};

/// The plan of a rule for a neighborhood and an operation.
struct GridPlan {
    const routing::Rule* rule;
    const topology::Grid* grid;  ///< the planner's
    std::shared_ptr<const CountedPlan> counted;
    std::shared_ptr<const routing::PartialSums> sums;  ///< null unless it is a reduction
    routing::Limits limits = {};  ///< which plan it is, if the rule has several

    const routing::Plan& plan() const { return counted->plan; }

    /// The name by which a user can ask for it.
    std::string name() const { return text_of(routing::NamedRule{rule, limits}); }

    /// Blocks that a rank sends when none is pruned: V or W.
    std::int64_t volume() const;

    /// The same in bytes. @param block_bytes  the size of each send block of the plan, or the one
    /// size of a reduction
    std::int64_t bytes(std::span<const std::int64_t> block_bytes) const;

    Load load(std::span<const std::int64_t> block_bytes, const Machine& machine) const;

private:
    std::vector<RoundLoad> rounds(std::span<const std::int64_t> block_bytes) const;
};

/// Plans one neighborhood on its grid, each rule and operation once, when first needed.
///
/// Routes take the shorter direction around a torus. So offsets that lead to the same rank share
/// its messages and, if all neighbors get one block, the block; an offset that leads back to the
/// rank itself is a copy.
class Planner {
public:
    Planner(const topology::Grid& grid, const topology::Neighborhood& neighborhood);

    GridPlan planned(const routing::Rule& rule, schedule::Operation operation);

    /// The same; if the rule has several plans, the one within the limits.
    /// @param block_bytes  sizes that the plans are to suit, as in GridPlan::bytes; none, or equal
    /// ones, for plans that suit equal blocks
    GridPlan planned(const routing::Rule& rule, schedule::Operation operation,
                     const routing::Limits& limits, std::span<const std::int64_t> block_bytes = {});

    /// The other plans of a rule that has several, by ascending rounds, without those whose rounds,
    /// hops and volume equal those of an automatic rule's plan.
    std::vector<GridPlan> others(const routing::Rule& rule, schedule::Operation operation,
                                 std::span<const std::int64_t> block_bytes = {});

    /// All plans that `auto` compares, the simplest first.
    std::vector<GridPlan> automatic(schedule::Operation operation,
                                    std::span<const std::int64_t> block_bytes = {});

    /// The plan of least estimated cost; of equal ones the simpler. For blocks of m bytes and
    /// sigma = 0 that is the cut-off of [2] §3.1: combine while m < alpha/beta * (t-C)/(V-t).
    GridPlan cheapest(schedule::Operation operation, std::span<const std::int64_t> block_bytes,
                      const Machine& machine);

    /// The schedule of one rank. @param block_bytes  as in GridPlan::bytes
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
