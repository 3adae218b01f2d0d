// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <vector>

namespace carpool::schedule {

/// Messages of one rank are duplicates if they have the same blocks in the same order: since slots
/// are written once, they carry the same bytes in every start. Returns for each message sent, in
/// the order of the rounds, the number of the first message that it duplicates, or its own number.
std::vector<int> first_of_duplicates(const Schedule& schedule);

}  // namespace carpool::schedule
