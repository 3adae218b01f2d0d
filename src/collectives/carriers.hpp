// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/script.hpp"

#include <cstdint>
#include <limits>

namespace carpool::collectives {

/// All ranks of a node are carriers.
inline constexpr int every_rank = std::numeric_limits<int>::max();

/// An alltoall with one message from each node to each other node. The first ranks of a node are
/// its carriers, among which the other nodes are dealt out: each collects what its node's ranks
/// send to some of them, and hands on to its node's ranks what arrives from some of them.
///
///   3 nodes of 2 ranks, node 0      blocks for node 1 leave from rank 0, for node 2 from rank 1
///
/// @param most  the largest number of carriers of a node
void carry(Script& script, int most);

std::int64_t messages_by_carriers(const Problem& problem, int most);

}  // namespace carpool::collectives
