#pragma once

#include "schedule/schedule.hpp"

#include <vector>

namespace carpool::collectives {

using schedule::Part;
using Parts = std::vector<Part>;

/// Each part as a list of its own.
std::vector<Parts> one_by_one(const Parts& parts);

void append(Parts& to, const Parts& more);

}  // namespace carpool::collectives
