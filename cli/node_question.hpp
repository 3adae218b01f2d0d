#pragma once

#include "choose/load.hpp"
#include "choose/machine.hpp"
#include "schedule/schedule.hpp"
#include "topology/mapping.hpp"
#include "topology/nodes.hpp"

#include <boost/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace cli {

/// The nodes of "per_node", as below; null where that is null or is not there.
std::shared_ptr<const carpool::topology::Nodes> nodes_in(const boost::json::object& json,
                                                         int ranks);

/// What is asked about nodes, read from JSON:
///   {"per_node": [8], "reorder": false,
///    "within": {"alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ports": 1}}
/// One number is that of all nodes, the last of which may have fewer ranks; several are one each.
/// The costs of the question itself are then those between nodes. Without "per_node" no node is
/// told apart. Throws std::invalid_argument.
class NodeQuestion {
public:
    using Map = std::function<carpool::topology::Mapping(const carpool::topology::Nodes&)>;

    /// @param map  how reordering would number ranks on nodes
    NodeQuestion(const boost::json::object& json, int ranks, const Map& map);

    bool asked() const { return mapping_.has_value(); }

    /// What costs are reckoned for: on nodes, if they are told apart, in the order asked for.
    const carpool::choose::Machine& machine() const { return reorders_ ? mapped_ : given_; }

    /// For the same, reordered.
    const carpool::choose::Machine& mapped() const { return mapped_; }

    /// The node of a rank. @pre asked
    int node(int rank) const { return machine().nodes() ? machine().nodes()->node(rank) : 0; }

    /// How many nodes, and what reordering is worth. @param block_bytes  of one unit of weight
    /// @pre asked
    boost::json::object about(std::int64_t block_bytes) const;

private:
    bool reorders_ = false;
    carpool::choose::Machine given_;
    carpool::choose::Machine mapped_;
    std::optional<carpool::topology::Mapping> mapping_;
    int count_ = 0;
};

/// What the busiest rank and all ranks send within nodes and between them, and the estimate of the
/// load. @param schedules  of all ranks
boost::json::object node_counts(const carpool::choose::Machine& machine,
                                std::span<const carpool::schedule::Schedule> schedules,
                                const carpool::choose::Load& load);

}  // namespace cli
