#pragma once

#include "collectives/choice.hpp"

namespace carpool::collectives {

/// As cheapest(), but remembers what it has chosen lately: programs initialise the same collective
/// for several buffers, and to compare algorithms costs more than to do one. Any thread may call
/// it.
Choice remembered_cheapest(const Machine& machine, const Problem& problem);

}  // namespace carpool::collectives
