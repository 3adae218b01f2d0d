// SPDX-License-Identifier: MIT
#pragma once

#include "choose/costs.hpp"
#include "topology/nodes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::choose {

/// The model where ranks share cores: a phase lasts until all ranks of a core have run.
CostModel oversubscribed(CostModel model, double ranks_per_core);

/// The model where ranks share cores and messages cost little: then a phase takes the time in which
/// each rank of a core runs once.
CostModel sharing_cores(CostModel model, double ranks_per_core);

/// Whether the two ends of a message are on one node, or the network is between them.
enum class Level { node, network };
inline constexpr Level levels[] = {Level::node, Level::network};

/// The index of a level in a TrafficByLevel.
constexpr std::size_t index_of(Level level) { return static_cast<std::size_t>(level); }

/// @param nodes  null for a single node
Level level_of(const topology::Nodes* nodes, int rank, int other);

/// The machine for which costs are estimated: what communication costs, which ranks share a node,
/// and how many share a core.
class Machine {
public:
    /// The same cost model between all ranks, which are on one node.
    Machine(const CostModel& everywhere, double ranks_per_core = 1);

    /// @param nodes  null for a single node
    Machine(const Costs& costs, std::shared_ptr<const topology::Nodes> nodes,
            double ranks_per_core = 1);

    /// The costs of messages alone.
    Machine(const CostModel& within_node, const CostModel& between_nodes,
            std::shared_ptr<const topology::Nodes> nodes, double ranks_per_core)
        : Machine(Costs{within_node, between_nodes}, std::move(nodes), ranks_per_core) {}

    /// A machine on which nothing costs anything, to count loads.
    /// @param nodes  null for a single node
    static Machine counting(std::shared_ptr<const topology::Nodes> nodes) {
        return {Costs{}, std::move(nodes)};
    }

    Level level(int rank, int other) const { return level_of(nodes_.get(), rank, other); }

    /// The level of the two ranks farthest from each other.
    Level widest() const { return nodes_ ? Level::network : Level::node; }

    /// Null for a single node.
    const std::shared_ptr<const topology::Nodes>& nodes() const { return nodes_; }

    const Costs& costs() const { return costs_; }
    const CostModel& cost(Level level) const {
        return level == Level::node ? costs_.node : costs_.network;
    }

    /// Whether adapters move the bytes while ranks work; then estimates are not linear in bytes.
    bool overlaps() const { return costs_.overlaps; }

    double ranks_per_core() const { return ranks_per_core_; }

    /// The machine as numbers, which differ for different machines.
    std::vector<std::int64_t> numbers() const;

private:
    Costs costs_;
    std::shared_ptr<const topology::Nodes> nodes_;
    double ranks_per_core_;
};

}  // namespace carpool::choose
