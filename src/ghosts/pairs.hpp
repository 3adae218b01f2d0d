// SPDX-License-Identifier: MIT
#pragma once

#include "ghosts/ghost_map.hpp"
#include "ghosts/needs.hpp"

namespace carpool::ghosts {

/// The same map with a block for each pair of ranks in place of one for each class: the entries of
/// an owner that a rank has as ghosts, ascending. Where ghosts are in this order, too, as in most
/// matrices, what comes in a message is copied in one piece. An entry that several ranks have is in
/// several blocks, so only an update by `direct` can take them. Entries that a rank has more than
/// once are in blocks of their own. Local.
/// @param rank    whose map it is
/// @param ghosts  of which it was made
GhostMap by_pairs(const GhostMap& map, int rank, const GhostList& ghosts);

}  // namespace carpool::ghosts
