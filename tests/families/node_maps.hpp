// SPDX-License-Identifier: MIT
#pragma once

#include "family.hpp"
#include "topology/nodes.hpp"

#include <memory>
#include <string>
#include <vector>

namespace families {

/// Which ranks are on which nodes.
struct NodeMap {
    std::string name;
    std::shared_ptr<const carpool::topology::Nodes> nodes;  ///< null for one node
};

/// One node; equal nodes; nodes of very unequal sizes; ranks dealt out to nodes; random ones.
std::vector<NodeMap> node_maps(int ranks);

/// The same, or all partitions of few ranks into nodes.
std::vector<NodeMap> node_maps(int ranks, const Scope& scope);

}  // namespace families
