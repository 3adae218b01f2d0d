#pragma once

#include "schedule/schedule.hpp"

#include <vector>

namespace carpool::schedule {

/// Messages of one rank are duplicate messages if they have the same blocks in the same order:
/// since slots are written once, both carry the same bytes in every start. Says of each message
/// sent, in the order of the rounds, the number of its first twin: its own if it is the first.
std::vector<int> first_of_duplicates(const Schedule& schedule);

}  // namespace carpool::schedule
