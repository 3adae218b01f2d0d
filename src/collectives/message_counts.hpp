#pragma once

#include "collectives/problem.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::collectives {

/// How many messages all ranks together send, by patterns that several algorithms follow.

/// Once to each rank but one, or from it.
std::int64_t one_way(const Problem& problem);
std::int64_t both_ways(const Problem& problem);
std::int64_t all_to_all(const Problem& problem);

/// Between the leaders of nodes and all other ranks.
std::int64_t within_nodes(const Problem& problem);

/// The problem as the leaders of nodes have it.
Problem between_leaders(const Problem& problem);

/// From ranks to the leaders of nodes, among these, and back. @tparam messages  among the leaders
template <std::int64_t (*messages)(const Problem&)>
std::int64_t messages_by_node(const Problem& problem) {
    return 2 * within_nodes(problem) + messages(between_leaders(problem));
}

/// By hops to the ranks at each digit of each power of a radix.
template <int radix>
std::int64_t messages_of_bruck(const Problem& problem) {
    std::int64_t per_rank = 0;
    for (std::int64_t weight = 1; weight < problem.ranks; weight *= radix)
        per_rank += std::min<std::int64_t>(radix - 1, (problem.ranks - 1) / weight);
    return per_rank * problem.ranks;
}

/// Of leaders of groups who meet once for each bit.
std::int64_t messages_of_leaders(const Problem& problem);

/// From leaders to followers, or back.
std::int64_t messages_of_followers(const Problem& problem);

/// Of followers to leaders, of these among each other, and back.
std::int64_t messages_of_doubling(const Problem& problem);

}  // namespace carpool::collectives
