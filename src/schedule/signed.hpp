#pragma once

#include "schedule/schedule.hpp"

namespace carpool::schedule {

/// The same schedule with one more word in the shortest message that each rank sends in one round:
/// from one more send slot, the last, into one more receive slot, the last. The word reveals a rank
/// that leaves out messages without bytes which the other ranks do not leave out.
/// @pre all ranks send in all of their rounds, as on a torus
Schedule signed_by(Schedule schedule, std::int64_t word_bytes);

}  // namespace carpool::schedule
