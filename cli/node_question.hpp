// SPDX-License-Identifier: MIT
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

namespace cli {

/// The nodes of "per_node", as below; null if that is null or missing. Throws if there are more
/// ranks than "platform" has room for, as in {"name": "cluster:2x4", "room": 8}.
std::shared_ptr<const carpool::topology::Nodes> nodes_in(const boost::json::object& json,
                                                         int ranks);

/// The part of a question that is about nodes, read from JSON:
///   {"per_node": [8], "reorder": false, "compare_orders": true,
///    "within": {"alpha": 1e-6, "beta": 1e-9, "sigma": 0, "ports": 1}}
/// A single number is that of all nodes, the last of which may have fewer ranks; several are one
/// each. "compare_orders", by default true, asks what reordering would change. The costs of the
/// question itself are then those between nodes. Without "per_node" nodes
/// are not distinguished. Throws std::invalid_argument.
class NodeQuestion {
public:
    using Map = std::function<carpool::topology::Mapping(const carpool::topology::Nodes&)>;

    /// @param map  how reordering would number ranks on nodes
    NodeQuestion(const boost::json::object& json, int ranks, const Map& map);

    bool asked() const { return asked_; }

    /// Whether the answer is about both orders.
    bool compares() const { return compares_; }

    /// The machine that costs are estimated for: with nodes, if they are distinguished, in the
    /// order asked for.
    const carpool::choose::Machine& machine() const { return reorders_ ? mapped_ : given_; }

    /// The same machine with ranks reordered, if that is asked for or compared.
    const carpool::choose::Machine& mapped() const { return mapped_; }

    /// The node of a rank. @pre asked
    int node(int rank) const { return machine().nodes() ? machine().nodes()->node(rank) : 0; }

    /// The number of nodes and, if orders are compared, what reordering gains. @pre asked
    /// @param block_bytes  bytes of one unit of weight
    boost::json::object about(std::int64_t block_bytes) const;

private:
    bool asked_ = false;
    bool reorders_ = false;
    bool compares_ = false;
    carpool::choose::Machine given_;
    carpool::choose::Machine mapped_;
    std::optional<carpool::topology::Mapping> mapping_;
    int count_ = 0;
};

/// What the busiest rank and all ranks send within nodes and between them. The schedules are
/// counted one by one, since those of many ranks take much memory, and time to get it.
class NodeCounts {
public:
    explicit NodeCounts(const carpool::choose::Machine& machine) : machine_(machine) {}

    void add(int rank, const carpool::schedule::Schedule& schedule);

    /// Adds the load of one rank's part in the routes of a graph.
    void add(const carpool::choose::Load& of_rank);

    /// The counts, and the estimate of the load. @pre the schedules of all ranks were added
    boost::json::object to_json(const carpool::choose::Load& load) const;

private:
    void add(const carpool::choose::TrafficByLevel& sent,
             const carpool::choose::TrafficByLevel& received);
    boost::json::object sent(carpool::choose::Level level) const;

    const carpool::choose::Machine& machine_;
    carpool::choose::TrafficByLevel busiest_ = {};
    carpool::choose::TrafficByLevel sum_ = {};
};

}  // namespace cli
