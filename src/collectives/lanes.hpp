// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/groups.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/script.hpp"
#include "collectives/team.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace carpool::collectives {

/// How the ranks of a node divide a block among its lanes, and collect the pieces again.
enum class Within {
    halving,  ///< by recursive halving and doubling: few messages; lanes are a power of two
    spread,   ///< directly: one phase, and each byte moves once
};

/// The largest number of lanes: at most one for each rank of the smallest node.
int lanes_of(const Problem& problem, Within within);

/// Lanes: the ranks of each node in equally many groups, and the leaders of the i-th groups of all
/// nodes as the i-th lane. Each lane works on a part of the block, so that all lanes together use
/// all that leads out of a node (Träff and Hunold 2020).
///
/// A node with more ranks than there are lanes has larger groups. So nodes may be uneven, and if
/// one has a single rank there is one lane.
///
///   6 ranks on nodes of 4 and 2      groups {0, 1} {2, 3}  {4} {5}      lanes {0, 4} {2, 5}
class Lanes {
public:
    /// @param root  leads the first group of its node
    Lanes(const Script& script, Within within, int root);

    int count() const { return groups_.groups(); }
    int nodes() const { return nodes_->count(); }
    int root_node() const { return nodes_->node(root_); }
    bool on_root_node() const { return node_ == root_node(); }

    /// The position of the piece on which this rank's lane works.
    std::size_t piece() const { return static_cast<std::size_t>(position_of_lane(lane())); }

    /// Runs stages on the leaders of each lane, numbered by their nodes. All other ranks skip as
    /// many phases.
    void along(Script& script, int phases, const std::function<void()>& stages) const;

    // Stages within nodes. Pieces are listed by their positions.

    /// Returns the summands of the lane's piece on the leaders of groups, nothing on followers.
    std::vector<Parts> sum_scattered(Script& script, const std::vector<Parts>& own) const;

    /// Brings the pieces of all lanes to all ranks.
    /// @param has  whether a rank has a part already, which is then not sent to it; by halving only
    ///             followers are asked
    using Has = std::function<bool(int rank, const Part& part)>;
    void collect(Script& script, const std::vector<Parts>& pieces, const Has& has = {}) const;

    /// Brings the pieces of the root's node to the root.
    void collect_on_root(Script& script, const std::vector<Parts>& pieces) const;

    /// On the root's node the root sends the pieces to the leaders. Later they are collected on
    /// all nodes, but not by ranks that have had them on the way.
    void scatter(Script& script, const std::vector<Parts>& pieces) const;
    void collect_scattered(Script& script, const std::vector<Parts>& pieces) const;

    /// Stages between followers and leaders, for parts that belong to ranks.
    void hand_in(Script& script, const PartsOf& held) const;
    void hand_out(Script& script, const PartsOf& held) const;

    /// The parts of all ranks of the lane's group on this node, its leader's first.
    Parts parts_of_group(const PartsOf& held) const { return parts_of(node_, lane(), held); }

    /// The parts of the lane's groups on each node, or of all ranks of each lane by position.
    std::vector<Parts> parts_by_node(const PartsOf& held) const;
    std::vector<Parts> parts_by_lane(const PartsOf& held) const;

private:
    Groups groups_of(int node) const;
    Team team_of_lane() const;
    int lane() const { return groups_.group_of(place_); }
    int position_of_lane(int lane) const;
    bool halves() const { return within_ == Within::halving; }
    bool any_has_followers() const { return nodes_->most_ranks() > count(); }
    Parts parts_of(int node, int lane, const PartsOf& held) const;
    void on_node(Script& script, int phases, const std::function<void()>& stages) const;

    Within within_;
    std::shared_ptr<const topology::Nodes> nodes_;
    int root_;
    int node_;
    int place_;
    int count_;
    Groups groups_;  // of this rank's node, where ranks are numbered by their places
    Team on_node_;
    Team in_lane_;
};

// How many messages all ranks together send in stages within nodes.

/// One message between each follower and its leader.
std::int64_t messages_of_lane_followers(const Problem& problem, Within within);

/// As many as sum_scattered takes, or collect, or scatter and collect_scattered together.
std::int64_t messages_within_lanes(const Problem& problem, Within within);

/// @tparam messages  the messages of a stage in one lane
template <std::int64_t (*messages)(const Problem&)>
std::int64_t messages_along_lanes(const Problem& problem, Within within) {
    return lanes_of(problem, within) * messages(between_leaders(problem));
}

}  // namespace carpool::collectives
