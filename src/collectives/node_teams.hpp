// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/script.hpp"
#include "collectives/team.hpp"
#include "collectives/tree_stages.hpp"
#include "topology/nodes.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace carpool::collectives {

/// The ranks of this rank's node as one team, and the leaders of all nodes as another. The leader
/// of a node is its lowest rank, or the root if it is on the node.
///
///   6 ranks on nodes of 3, root 4      {0, 1, 2}  {3, 4, 5}      leaders {0, 4}
class NodeTeams {
public:
    NodeTeams(const Script& script, int root);

    int count() const { return leaders_.size(); }
    int root_node() const { return nodes_->node(root_); }

    /// Runs stages between the leaders, numbered by their nodes. All other ranks skip as many
    /// phases.
    void between_leaders(Script& script, int phases, const std::function<void()>& stages) const;

    /// The parts of all ranks of a node. @param held  gives the parts of a rank
    Parts parts_of(int node, const PartsOf& held) const;

    /// Stages between the leader and the other ranks of each node, like those along a tree. They
    /// take one phase, or none if each node has one rank.
    void broadcast(Script& script, const Parts& parts) const;
    void gather(Script& script, const PartsOf& held) const;
    void scatter(Script& script, const PartsOf& held) const;
    std::vector<Parts> reduce(Script& script, const Parts& own) const;

private:
    void within(Script& script, const std::function<void(const Tree& star)>& stage) const;

    std::shared_ptr<const topology::Nodes> nodes_;
    int root_;
    Team leaders_;
    Team on_node_;  // the ranks of this rank's node
    int leader_;    // the place of its leader in that team
    int phases_;    // phases of a stage within nodes
};

/// The nodes of a problem's ranks; one node of all ranks if the problem has none.
std::shared_ptr<const topology::Nodes> nodes_or_one(const Problem& problem);

/// How many nodes a problem's ranks are on, and how many ranks the largest has.
int nodes_of(const Problem& problem);
int ranks_of_largest_node(const Problem& problem);

/// Whether the ranks of each node are consecutive.
bool nodes_in_order(const Problem& problem);

}  // namespace carpool::collectives
