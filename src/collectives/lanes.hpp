#pragma once

#include "collectives/folding.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/script.hpp"
#include "collectives/team.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace carpool::collectives {

/// Lanes: the ranks of each node in equally many groups, whose number is a power of two, and the
/// leaders of the i-th groups of all nodes as the i-th lane. Each lane works on a part of the
/// block, so that all lanes together use all that leads out of a node (Traff and Hunold 2020).
///
/// There are as many lanes as the smallest node has groups; a node with more ranks has larger
/// groups. So nodes may be uneven, and with one rank on a node there is one lane.
///
///   6 ranks on nodes of 4 and 2      groups {0, 1} {2, 3}  {4} {5}      lanes {0, 4} {2, 5}
class Lanes {
public:
    /// @param root  leads the first group of its node
    Lanes(const Script& script, int root);

    int nodes() const { return nodes_->count(); }
    int node() const { return node_; }
    int root_node() const { return nodes_->node(root_); }
    bool on_root_node() const { return node_ == root_node(); }

    /// The groups of this rank's node. Its ranks are numbered by their places on it.
    const Folding& folding() const { return folding_; }

    /// This rank's lane, and the part of the block on which it works.
    int lane() const { return folding_.group_of(place_); }
    std::size_t piece() const { return static_cast<std::size_t>(folding_.reversed(lane())); }

    int rank_on_node(int place) const { return on_node_.rank_at(place); }

    /// The parts of all ranks of a lane's group on a node, its leader's first; the same for each
    /// node.
    /// @param held  gives the parts of a rank
    Parts parts_of(int node, int lane, const PartsOf& held) const;
    std::vector<Parts> parts_by_node(int lane, const PartsOf& held) const;

    /// Runs stages on the ranks of each node, numbered by their places: as many steps as the groups
    /// have bits, and a phase for followers if any node has some.
    void within(Script& script, const std::function<void()>& stages) const;

    /// Runs stages on the leaders of each lane, numbered by their nodes. All other ranks skip as
    /// many phases.
    void along(Script& script, int phases, const std::function<void()>& stages) const;

private:
    Folding folding_of(int node) const;
    Team team_of_lane() const;

    std::shared_ptr<const topology::Nodes> nodes_;
    int root_;
    int bits_;
    int node_;
    int place_;
    Folding folding_;
    Team on_node_;
    Team in_lane_;
    int phases_within_;
};

/// The bits of the number of lanes, and that number.
int bits_of_lanes(const Problem& problem);
int lanes_of(const Problem& problem);

/// One message between each follower and its leader.
std::int64_t messages_of_lane_followers(const Problem& problem);

/// One message from each leader within its node for each bit.
std::int64_t messages_within_lanes(const Problem& problem);

/// @tparam messages  the messages of a stage in one lane
template <std::int64_t (*messages)(const Problem&)>
std::int64_t messages_along_lanes(const Problem& problem) {
    return lanes_of(problem) * messages(between_leaders(problem));
}

}  // namespace carpool::collectives
