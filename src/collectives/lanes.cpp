#include "collectives/lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::collectives {
namespace {

int ranks_of_smallest_node(const topology::Nodes& nodes) {
    std::size_t least = nodes.ranks_of(0).size();
    for (int node = 1; node < nodes.count(); ++node)
        least = std::min(least, nodes.ranks_of(node).size());
    return static_cast<int>(least);
}

Team team_on(const topology::Nodes& nodes, int node) {
    const auto ranks = nodes.ranks_of(node);
    return Team({ranks.begin(), ranks.end()});
}

}  // namespace

Lanes::Lanes(const Script& script, int root)
    : nodes_(nodes_or_one(script.problem())),
      root_(root),
      bits_(bits_of_lanes(script.problem())),
      node_(nodes_->node(script.rank())),
      place_(nodes_->place(script.rank())),
      folding_(folding_of(node_)),
      on_node_(team_on(*nodes_, node_)),
      in_lane_(team_of_lane()),
      phases_within_(bits_ + (nodes_->most_ranks() > 1 << bits_ ? 1 : 0)) {}

Folding Lanes::folding_of(int node) const {
    const auto ranks = static_cast<int>(nodes_->ranks_of(node).size());
    return {ranks, bits_, node == root_node() ? nodes_->place(root_) : 0};
}

Team Lanes::team_of_lane() const {
    std::vector<int> leaders;
    for (int node = 0; node < nodes(); ++node) {
        const auto leader = folding_of(node).leader(lane());
        leaders.push_back(nodes_->ranks_of(node)[static_cast<std::size_t>(leader)]);
    }
    return Team(std::move(leaders));
}

Parts Lanes::parts_of(int node, int lane, const PartsOf& held) const {
    const auto ranks = nodes_->ranks_of(node);
    const auto folding = folding_of(node);
    auto all = held(ranks[static_cast<std::size_t>(folding.leader(lane))]);
    for (const int place : folding.followers(lane))
        append(all, held(ranks[static_cast<std::size_t>(place)]));
    return all;
}

std::vector<Parts> Lanes::parts_by_node(int lane, const PartsOf& held) const {
    std::vector<Parts> by_node;
    for (int node = 0; node < nodes(); ++node) by_node.push_back(parts_of(node, lane, held));
    return by_node;
}

void Lanes::within(Script& script, const std::function<void()>& stages) const {
    script.among(on_node_, phases_within_, stages);
}

void Lanes::along(Script& script, int phases, const std::function<void()>& stages) const {
    script.among(in_lane_, phases, stages);
}

int bits_of_lanes(const Problem& problem) {
    return Folding::most_bits(ranks_of_smallest_node(*nodes_or_one(problem)));
}

int lanes_of(const Problem& problem) { return 1 << bits_of_lanes(problem); }

std::int64_t messages_of_lane_followers(const Problem& problem) {
    return problem.ranks - std::int64_t{nodes_of(problem)} * lanes_of(problem);
}

std::int64_t messages_within_lanes(const Problem& problem) {
    return std::int64_t{nodes_of(problem)} * lanes_of(problem) * bits_of_lanes(problem);
}

}  // namespace carpool::collectives
