// SPDX-License-Identifier: MIT
#include "collectives/node_teams.hpp"

#include <cstdint>
#include <span>

namespace carpool::collectives {
namespace {

Team leaders_of(const topology::Nodes& nodes, int root) {
    std::vector<int> leaders;
    for (int node = 0; node < nodes.count(); ++node)
        leaders.push_back(node == nodes.node(root) ? root : nodes.ranks_of(node).front());
    return Team(std::move(leaders));
}

Team team_on_node_of(const topology::Nodes& nodes, int rank) {
    const auto ranks = nodes.ranks_of(nodes.node(rank));
    return Team({ranks.begin(), ranks.end()});
}

}  // namespace

std::shared_ptr<const topology::Nodes> nodes_or_one(const Problem& problem) {
    if (problem.nodes) return problem.nodes;
    const std::vector<std::uint64_t> alike(static_cast<std::size_t>(problem.ranks));
    return std::make_shared<const topology::Nodes>(alike);
}

NodeTeams::NodeTeams(const Script& script, int root)
    : nodes_(nodes_or_one(script.problem())),
      root_(root),
      leaders_(leaders_of(*nodes_, root)),
      on_node_(team_on_node_of(*nodes_, script.rank())),
      leader_(nodes_->place(leaders_.rank_at(nodes_->node(script.rank())))),
      phases_(nodes_->count() < nodes_->ranks() ? 1 : 0) {}

void NodeTeams::between_leaders(Script& script, int phases,
                                const std::function<void()>& stages) const {
    script.among(leaders_, phases, stages);
}

void NodeTeams::within(Script& script, const std::function<void(const Tree&)>& stage) const {
    script.among(on_node_, phases_, [&] { stage(tree_of<0>(script, leader_)); });
}

Parts NodeTeams::parts_of(int node, const PartsOf& held) const {
    Parts all;
    for (const int rank : nodes_->ranks_of(node)) append(all, held(rank));
    return all;
}

void NodeTeams::broadcast(Script& script, const Parts& parts) const {
    within(script, [&](const Tree& star) { collectives::broadcast(script, star, parts); });
}

void NodeTeams::gather(Script& script, const PartsOf& held) const {
    within(script, [&](const Tree& star) {
        collectives::gather(script, star, [&](int place) { return held(on_node_.rank_at(place)); });
    });
}

void NodeTeams::scatter(Script& script, const PartsOf& held) const {
    within(script, [&](const Tree& star) {
        collectives::scatter(script, star,
                             [&](int place) { return held(on_node_.rank_at(place)); });
    });
}

std::vector<Parts> NodeTeams::reduce(Script& script, const Parts& own) const {
    std::vector<Parts> summands;
    within(script, [&](const Tree& star) { summands = collectives::reduce(script, star, own); });
    return summands;
}

int nodes_of(const Problem& problem) { return problem.nodes ? problem.nodes->count() : 1; }

int ranks_of_largest_node(const Problem& problem) {
    return problem.nodes ? problem.nodes->most_ranks() : problem.ranks;
}

bool nodes_in_order(const Problem& problem) {
    for (int rank = 1; problem.nodes && rank < problem.ranks; ++rank)
        if (problem.nodes->node(rank) < problem.nodes->node(rank - 1)) return false;
    return true;
}

}  // namespace carpool::collectives
