// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "routing/itinerary.hpp"
#include "topology/nodes.hpp"

#include <memory>
#include <vector>

namespace carpool::choose {

/// The load of the routes of a graph: rank by rank, and of the nodes, whose ranks share an adapter.
class GraphLoad {
public:
    /// @param nodes  null for a single node
    explicit GraphLoad(const std::shared_ptr<const topology::Nodes>& nodes);

    /// Adds a rank's part in the routes; returns its load.
    /// @param bytes  of its messages, where these differ from what their blocks have
    Load add(int rank, const routing::Itinerary& itinerary, const MessageBytes* bytes = nullptr);

    /// The load of the busiest rank and of the busiest node. @pre all ranks have been added
    Load of_busiest() const;

private:
    Machine machine_;
    Load busiest_;
    std::vector<Traffic> out_;  // of nodes
    std::vector<Traffic> in_;   // likewise
};

}  // namespace carpool::choose
