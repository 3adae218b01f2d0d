// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <vector>

namespace carpool::collectives {

using schedule::Part;
using Parts = std::vector<Part>;

/// Each part as a list of its own.
std::vector<Parts> one_by_one(const Parts& parts);

/// The parts in lists as long as those of `like`, or in lists of equal length. Of no parts all
/// lists are empty.
std::vector<Parts> in_lists_like(const Parts& parts, const std::vector<Parts>& like);
std::vector<Parts> in_equal_lists(const Parts& parts, int lists);

Parts joined(const std::vector<Parts>& lists);

void append(Parts& to, const Parts& more);

}  // namespace carpool::collectives
