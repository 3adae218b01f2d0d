// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"

namespace carpool::choose {

/// The number of arrangements of a virtual topology that are tried, besides the one by rank.
inline constexpr int arrangements = 4;

/// Whether the busiest rank sends so much that another arrangement of the ranks may reduce it ([5]
/// §3.2): more than twice what it has of its own, and more than twice what ranks send on average.
/// @param of_all  what all ranks together send
/// @param direct  the load without forwarding
bool overloaded(const Load& load, const Traffic& of_all, int ranks, const Load& direct);

/// Whether the busiest rank sends clearly less: by a tenth of the bytes or, where sizes are not
/// known, of the blocks.
bool clearly_less(const Load& load, const Load& than);

/// The bytes of the busiest rank or, where sizes are not known, its blocks.
std::int64_t weight(const Load& load);

}  // namespace carpool::choose
