#pragma once

#include "collectives/script.hpp"

#include <cstdint>
#include <limits>

namespace carpool::collectives {

/// All ranks of a node are carriers.
inline constexpr int every_rank = std::numeric_limits<int>::max();

/// All to all, with one message from each node to each other one. The first ranks of a node are its
/// carriers: each takes what its node's ranks have for some other nodes, by turns, and hands on
/// what comes from some.
///
///   3 nodes of 2 ranks, node 0      what is for node 1 leaves by rank 0, for node 2 by rank 1
///
/// @param most  carriers of a node
void carry(Script& script, int most);

std::int64_t messages_by_carriers(const Problem& problem, int most);

}  // namespace carpool::collectives
