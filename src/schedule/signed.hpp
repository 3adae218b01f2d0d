#pragma once

#include "schedule/schedule.hpp"

namespace carpool::schedule {

/// The same schedule with a word more in the shortest message that each rank sends in one round:
/// from a send slot of its own, the last, into a receive slot of its own, the last. By it a rank
/// that has left out other messages than the rest, for want of bytes, is found out.
/// @pre all ranks send in all of their rounds, as on a torus
Schedule signed_by(Schedule schedule, std::int64_t word_bytes);

}  // namespace carpool::schedule
