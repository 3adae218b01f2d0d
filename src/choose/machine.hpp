#pragma once

#include "topology/nodes.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::choose {

/// The cost of communication between two ranks: the linear model of [2] §3.1, and what a phase
/// costs beyond its messages: the wait for blocks that are to be forwarded. With sigma 0 and one
/// port it is the paper's model. On a k-ported system ([1] §3, §5) k messages of a phase cost one
/// alpha.
struct CostModel {
    double alpha;            ///< seconds per message
    double beta;             ///< seconds per byte
    double sigma;            ///< seconds per phase
    std::int64_t ports = 1;  ///< messages of a process that are under way at once for one alpha

    /// The alpha of one message among many.
    double alpha_of_many() const { return alpha / static_cast<double>(ports); }

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

/// The model where ranks share cores: a phase lasts until all ranks of a core have run.
CostModel oversubscribed(CostModel model, double ranks_per_core);

/// The model where ranks share cores and messages cost little: then a phase takes the time in which
/// each rank of a core runs once.
CostModel taking_turns(CostModel model, double ranks_per_core);

/// Whether the two ends of a message are on one node, or the network is between them.
enum class Level { node, network };
inline constexpr Level levels[] = {Level::node, Level::network};

/// @param nodes  null for a single node
Level level_of(const topology::Nodes* nodes, int rank, int other);

/// The machine for which costs are estimated: the cost model between any two ranks, and how many
/// ranks share a core.
class Machine {
public:
    /// The same cost model between all ranks.
    Machine(const CostModel& everywhere, double ranks_per_core = 1);

    /// @param nodes  null for a single node
    Machine(const CostModel& within_node, const CostModel& between_nodes,
            std::shared_ptr<const topology::Nodes> nodes, double ranks_per_core);

    /// A machine on which nothing costs anything, to count loads.
    /// @param nodes  null for a single node
    static Machine counting(std::shared_ptr<const topology::Nodes> nodes) {
        return {{}, {}, std::move(nodes), 1};
    }

    Level level(int rank, int other) const { return level_of(nodes_.get(), rank, other); }

    /// The level of the two ranks farthest from each other.
    Level widest() const { return nodes_ ? Level::network : Level::node; }

    /// Null for a single node.
    const std::shared_ptr<const topology::Nodes>& nodes() const { return nodes_; }

    const CostModel& cost(Level level) const { return costs_[static_cast<std::size_t>(level)]; }

    double ranks_per_core() const { return ranks_per_core_; }

    /// The machine as numbers, which differ for different machines.
    std::vector<std::int64_t> numbers() const;

private:
    CostModel costs_[2];  // by level
    std::shared_ptr<const topology::Nodes> nodes_;
    double ranks_per_core_;
};

}  // namespace carpool::choose
