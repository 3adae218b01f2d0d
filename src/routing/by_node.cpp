// SPDX-License-Identifier: MIT
#include "routing/next_hop.hpp"
#include "routing/route_by.hpp"
#include "routing/rule.hpp"

#include <algorithm>
#include <cstddef>

namespace carpool::routing {
namespace {

/// The ranks of a node in teams of nearly equal size. Each team divides its work by target node:
/// its first rank serves the next node, its second rank the node after that.
class Teams {
public:
    Teams(const topology::Nodes& nodes, int node, int most)
        : nodes_(nodes),
          node_(node),
          size_(static_cast<int>(nodes.ranks_of(node).size())),
          teams_(std::min(most, size_)) {}

    int team_of(int rank) const { return ((nodes_.place(rank) + 1) * teams_ - 1) / size_; }

    /// The rank of that team that serves another node. Numbers beyond the last team of this node
    /// begin again at the first.
    int rank_for(int other_node, int team) const {
        const int first = first_of(team % teams_);
        const int ranks = first_of(team % teams_ + 1) - first;
        const int place = first + (nodes_ahead(other_node) - 1) % ranks;
        return nodes_.ranks_of(node_)[static_cast<std::size_t>(place)];
    }

private:
    int first_of(int team) const { return team * size_ / teams_; }
    int nodes_ahead(int other) const {
        return other > node_ ? other - node_ : other - node_ + nodes_.count();
    }

    const topology::Nodes& nodes_;
    int node_;
    int size_;
    int teams_;
};

NextHop straight() {
    return {1, [](int, int, int target) { return target; }};
}

Program<Itinerary> route(GraphView view, Pattern pattern) {
    const auto* nodes = view.nodes;
    return route_by(nodes != nullptr ? node_hops(*nodes, view.options.carriers) : straight(),
                    std::move(view), pattern);
}

}  // namespace

/// Where there is nothing to gather, `carry` is the first phase. Blocks that stay on a node go in
/// the last phase, together with the blocks that are handed on there.
NextHop node_hops(const topology::Nodes& nodes, int carriers) {
    enum Phase { gather, carry, hand_on };
    const int first = carriers >= nodes.most_ranks() ? carry : gather;
    return {hand_on - first + 1, [&nodes, carriers, first](int phase, int at, int target) {
                phase += first;
                const int here = nodes.node(at);
                const int there = nodes.node(target);
                if (here == there) return phase == hand_on ? target : at;
                const Teams own(nodes, here, carriers);
                const int team = own.team_of(at);
                if (phase == gather) return own.rank_for(there, team);
                return Teams(nodes, there, carriers).rank_for(here, team);
            }};
}

const Rule by_node{
    .name = "node",
    .summary = "one message from each node to each other, or one per carrier (node:K)",
    .automatic = true,
    .route = route,
    .follows_next_hop = true,
    .knows_nodes = true,
};

}  // namespace carpool::routing
