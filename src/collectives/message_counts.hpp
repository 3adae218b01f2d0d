// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/problem.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::collectives {

/// The number of messages that all ranks together send, for patterns that several algorithms share.

/// One message to each rank but one, or from it.
std::int64_t one_way(const Problem& problem);
std::int64_t both_ways(const Problem& problem);
std::int64_t all_to_all(const Problem& problem);

/// One message between the leader of a node and each other rank of the node.
std::int64_t within_nodes(const Problem& problem);

/// The problem whose ranks are the leaders of nodes.
Problem between_leaders(const Problem& problem);

/// From ranks to the leaders of nodes, among the leaders, and back.
/// @tparam messages  the messages among the leaders
template <std::int64_t (*messages)(const Problem&)>
std::int64_t messages_by_node(const Problem& problem) {
    return 2 * within_nodes(problem) + messages(between_leaders(problem));
}

/// Bruck's algorithm: a rank sends to all distances digit * radix^i below P, for nonzero digits.
template <int radix>
std::int64_t messages_of_bruck(const Problem& problem) {
    std::int64_t per_rank = 0;
    for (std::int64_t weight = 1; weight < problem.ranks; weight *= radix)
        per_rank += std::min<std::int64_t>(radix - 1, (problem.ranks - 1) / weight);
    return per_rank * problem.ranks;
}

/// One message from each leader of a group for each bit.
std::int64_t messages_of_leaders(const Problem& problem);

/// From leaders to followers, or back.
std::int64_t messages_of_followers(const Problem& problem);

/// From followers to leaders, among leaders, and back to followers.
std::int64_t messages_of_doubling(const Problem& problem);

}  // namespace carpool::collectives
