#pragma once

#include "topology/nodes.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::choose {

/// What it costs two ranks to talk: the linear model of [2] §3.1, and what a phase costs beyond its
/// messages: the wait for blocks that are to be forwarded. With sigma 0 and one port it is the
/// paper's. On a k-ported system ([1] §3, §5) k messages of a phase cost one alpha.
struct CostModel {
    double alpha;            ///< seconds per message
    double beta;             ///< seconds per byte
    double sigma;            ///< seconds per phase
    std::int64_t ports = 1;  ///< messages of a process that are under way at once for one alpha

    /// Of a message among many.
    double alpha_of_many() const { return alpha / static_cast<double>(ports); }

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

/// The model where ranks share cores: a phase lasts until all ranks of a core have had their turn.
CostModel oversubscribed(CostModel model, double ranks_per_core);

/// The model where ranks share cores and messages cost little: then a phase is the time in which
/// all ranks of a core have been given it once.
CostModel taking_turns(CostModel model, double ranks_per_core);

/// Where the two ends of a message are to each other.
enum class Level { node, network };
inline constexpr Level levels[] = {Level::node, Level::network};

/// @param nodes  null for one
Level level_of(const topology::Nodes* nodes, int rank, int other);

/// What costs are reckoned for: what any two ranks pay to talk, and how many ranks share a core.
class Machine {
public:
    /// One cost between all ranks.
    Machine(const CostModel& everywhere, double ranks_per_core = 1);

    /// @param nodes  null for one
    Machine(const CostModel& within_node, const CostModel& between_nodes,
            std::shared_ptr<const topology::Nodes> nodes, double ranks_per_core);

    /// Nothing costs anything: to count loads. @param nodes  null for one
    static Machine counting(std::shared_ptr<const topology::Nodes> nodes) {
        return {{}, {}, std::move(nodes), 1};
    }

    Level level(int rank, int other) const { return level_of(nodes_.get(), rank, other); }

    /// Of the two ranks farthest from each other.
    Level widest() const { return nodes_ ? Level::network : Level::node; }

    /// Null where there is one.
    const std::shared_ptr<const topology::Nodes>& nodes() const { return nodes_; }

    const CostModel& cost(Level level) const { return costs_[static_cast<std::size_t>(level)]; }

    double ranks_per_core() const { return ranks_per_core_; }

    /// Tells machines apart, as numbers.
    std::vector<std::int64_t> numbers() const;

private:
    CostModel costs_[2];  // by level
    std::shared_ptr<const topology::Nodes> nodes_;
    double ranks_per_core_;
};

}  // namespace carpool::choose
