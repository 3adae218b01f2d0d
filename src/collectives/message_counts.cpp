// SPDX-License-Identifier: MIT
#include "collectives/message_counts.hpp"

#include "collectives/folding.hpp"
#include "collectives/node_teams.hpp"

namespace carpool::collectives {

std::int64_t one_way(const Problem& problem) { return problem.ranks - 1; }

std::int64_t both_ways(const Problem& problem) { return 2 * one_way(problem); }

std::int64_t all_to_all(const Problem& problem) { return one_way(problem) * problem.ranks; }

std::int64_t within_nodes(const Problem& problem) { return problem.ranks - nodes_of(problem); }

Problem between_leaders(const Problem& problem) {
    auto leaders = problem;
    leaders.ranks = nodes_of(problem);
    leaders.root = problem.nodes ? problem.nodes->node(problem.root) : 0;
    leaders.nodes = nullptr;
    return leaders;
}

std::int64_t messages_of_leaders(const Problem& problem) {
    const Folding folding(problem.ranks);
    return std::int64_t{folding.groups()} * folding.bits();
}

std::int64_t messages_of_followers(const Problem& problem) {
    return problem.ranks - Folding(problem.ranks).groups();
}

std::int64_t messages_of_doubling(const Problem& problem) {
    return messages_of_leaders(problem) + 2 * messages_of_followers(problem);
}

}  // namespace carpool::collectives
