#include "routing/next_hop.hpp"
#include "routing/route_by.hpp"
#include "routing/rule.hpp"

#include <algorithm>
#include <cstddef>

namespace carpool::routing {
namespace {

/// A node's ranks in so many teams of near-equal size. Each team shares its work out by nodes: the
/// one for the next node falls to its first rank, that for the node after it to the second.
class Teams {
public:
    Teams(const topology::Nodes& nodes, int node, int most)
        : nodes_(nodes),
          node_(node),
          size_(static_cast<int>(nodes.ranks_of(node).size())),
          teams_(std::min(most, size_)) {}

    int team_of(int rank) const { return ((nodes_.place(rank) + 1) * teams_ - 1) / size_; }

    /// Of that team, or of the one that stands for it here.
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

/// To carry is the first phase where there is nothing to gather. What stays on a node goes last,
/// together with what is handed on there.
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
    .summary = "all from a node to another in one message, or one of each of several ranks",
    .automatic = true,
    .route = route,
    .follows_next_hop = true,
    .knows_nodes = true,
};

}  // namespace carpool::routing
