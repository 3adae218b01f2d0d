#pragma once

#include "choose/load.hpp"

namespace carpool::choose {

/// Arrangements of a virtual topology that are tried, beside that of the ranks' numbers.
inline constexpr int arrangements = 4;

/// Does so much pass the busiest rank that ranks at other places may have less to do ([5] §3.2)?
/// More than twice what it has of its own, and than ranks pass on average.
/// @param of_all  what all ranks send
/// @param direct  without forwarding
bool overloaded(const Load& load, const Traffic& of_all, int ranks, const Load& direct);

/// Does the busiest rank pass clearly less: by a tenth of the bytes or, where sizes are not known,
/// of the blocks?
bool clearly_less(const Load& load, const Load& than);

/// Bytes or blocks of the busiest rank.
std::int64_t weight(const Load& load);

}  // namespace carpool::choose
