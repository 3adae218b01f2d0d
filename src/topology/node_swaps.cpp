// SPDX-License-Identifier: MIT
#include "topology/node_swaps.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace carpool::topology {
namespace {

/// A partner to swap with, and by how much the swap reduces the weight between nodes.
struct Swap {
    int partner = -1;
    std::int64_t gain = 0;
};

class SwapSearch {
public:
    SwapSearch(const WeightedGraph& graph, std::vector<int> node_of, std::int64_t budget)
        : graph_(graph), node_of_(std::move(node_of)), budget_(budget), towards_(node_of_.size()) {
        members_.resize(static_cast<std::size_t>(
            node_of_.empty() ? 0 : 1 + *std::max_element(node_of_.begin(), node_of_.end())));
        for (int position = 0; position < graph.size(); ++position) {
            members_of(node(position)).push_back(position);
            for (const auto& [peer, weight] : graph.links(position))
                add(position, node(peer), weight);
        }
    }

    std::vector<int> found() {
        while (improves()) {
        }
        return std::move(node_of_);
    }

private:
    using Link = WeightedGraph::Link;  // here the peer is a node

    int& node(int position) { return node_of_[static_cast<std::size_t>(position)]; }
    std::vector<int>& members_of(int node) { return members_[static_cast<std::size_t>(node)]; }
    std::vector<Link>& towards(int position) {
        return towards_[static_cast<std::size_t>(position)];
    }

    void add(int position, int node, std::int64_t weight) {
        auto& all = towards(position);
        const auto at = std::lower_bound(all.begin(), all.end(), node, before);
        if (at != all.end() && at->peer == node)
            at->weight += weight;
        else
            all.insert(at, {node, weight});
    }

    std::int64_t weight_towards(int position, int node) {
        const auto& all = towards(position);
        const auto at = std::lower_bound(all.begin(), all.end(), node, before);
        return at != all.end() && at->peer == node ? at->weight : 0;
    }

    std::int64_t weight_with(int position, int peer) {
        const auto links = graph_.links(position);
        const auto at = std::lower_bound(links.begin(), links.end(), peer, before);
        return at != links.end() && at->peer == peer ? at->weight : 0;
    }

    /// The gain in weight if a position moves to another node.
    std::int64_t pull(int position, int other) {
        return weight_towards(position, other) - weight_towards(position, node(position));
    }

    /// Makes one pass over all positions. Every swap with a gain has an end that is pulled to the
    /// other's node.
    bool improves() {
        bool improved = false;
        for (int position = 0; position < graph_.size() && budget_ > 0; ++position) {
            const auto best = best_swap(position);
            if (best.gain == 0) continue;
            swap(position, best.partner);
            improved = true;
        }
        return improved && budget_ > 0;
    }

    Swap best_swap(int position) {
        Swap best;
        for (const auto& [other, weight] : towards(position)) {
            const auto pulled = pull(position, other);
            if (pulled <= 0) continue;
            for (const int partner : members_of(other)) {
                const auto gain =
                    pulled + pull(partner, node(position)) - 2 * weight_with(position, partner);
                if (gain > best.gain) best = {partner, gain};
            }
            budget_ -= static_cast<std::int64_t>(members_of(other).size());
        }
        return best;
    }

    void swap(int a, int b) {
        std::replace(members_of(node(a)).begin(), members_of(node(a)).end(), a, b);
        std::replace(members_of(node(b)).begin(), members_of(node(b)).end(), b, a);
        move(a, node(a), node(b));
        move(b, node(b), node(a));
        std::swap(node(a), node(b));
    }

    /// Updates the weights of the peers of a position that moves.
    void move(int position, int from, int to) {
        for (const auto& [peer, weight] : graph_.links(position)) {
            add(peer, from, -weight);
            add(peer, to, weight);
        }
    }

    static bool before(const Link& link, int peer) { return link.peer < peer; }

    const WeightedGraph& graph_;
    std::vector<int> node_of_;
    std::int64_t budget_;
    std::vector<std::vector<int>> members_;   // per node
    std::vector<std::vector<Link>> towards_;  // per position, its weight towards nodes
};

}  // namespace

std::vector<int> swapped_nodes(const WeightedGraph& graph, std::vector<int> node_of,
                               std::int64_t budget) {
    return SwapSearch(graph, std::move(node_of), budget).found();
}

}  // namespace carpool::topology
