// SPDX-License-Identifier: MIT
#include "topology/node_growth.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

namespace carpool::topology {
namespace {

constexpr int nowhere = -1;

/// Decides which position is taken next.
class Growth {
public:
    explicit Growth(const WeightedGraph& graph)
        : graph_(graph),
          node_of_(static_cast<std::size_t>(graph.size()), nowhere),
          pull_(node_of_.size(), 0),
          free_(node_of_.size(), 0),
          reached_(node_of_.size(), 0) {
        for (int position = 0; position < graph.size(); ++position) {
            for (const auto& link : graph.links(position)) free(position) += link.weight;
            starts_.insert(start(position));
        }
    }

    void fill(int node, int positions) {
        for (int taken = 0; taken < positions; ++taken) take(next(), node);
        for (const auto& choice : border_) pull(position_of(choice)) = 0;
        border_.clear();
    }

    std::vector<int> take_nodes() { return std::move(node_of_); }

private:
    using Choice = std::array<std::int64_t, 4>;  // the least is taken; the position comes last

    std::int64_t& pull(int position) { return pull_[static_cast<std::size_t>(position)]; }
    std::int64_t& free(int position) { return free_[static_cast<std::size_t>(position)]; }

    /// Positions with the least weight to other free positions come first.
    Choice start(int position) { return {free(position), 0, 0, position}; }

    /// Among positions with equal pull, those reached first come first, so that nodes grow round.
    Choice choice(int position) {
        return {-pull(position), reached_[static_cast<std::size_t>(position)], free(position),
                position};
    }

    static int position_of(const Choice& choice) { return static_cast<int>(choice.back()); }

    int next() { return position_of(*(border_.empty() ? starts_ : border_).begin()); }

    void take(int position, int node) {
        node_of_[static_cast<std::size_t>(position)] = node;
        starts_.erase(start(position));
        border_.erase(choice(position));
        for (const auto& [peer, weight] : graph_.links(position)) {
            if (node_of_[static_cast<std::size_t>(peer)] != nowhere) continue;
            starts_.erase(start(peer));
            border_.erase(choice(peer));
            if (pull(peer) == 0) reached_[static_cast<std::size_t>(peer)] = ++times_;
            pull(peer) += weight;
            free(peer) -= weight;
            starts_.insert(start(peer));
            border_.insert(choice(peer));
        }
    }

    const WeightedGraph& graph_;
    std::vector<int> node_of_;
    std::vector<std::int64_t> pull_;     // weight to the node that is being filled
    std::vector<std::int64_t> free_;     // weight to positions that no node has
    std::vector<std::int64_t> reached_;  // when the node being filled reached each
    std::int64_t times_ = 0;
    std::set<Choice> starts_;  // all free positions
    std::set<Choice> border_;  // free positions that the node being filled reaches
};

}  // namespace

std::vector<int> grown_nodes(const WeightedGraph& graph, std::span<const int> sizes) {
    Growth growth(graph);
    for (std::size_t node = 0; node < sizes.size(); ++node)
        growth.fill(static_cast<int>(node), sizes[node]);
    return growth.take_nodes();
}

}  // namespace carpool::topology
