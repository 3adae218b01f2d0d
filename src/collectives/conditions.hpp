#pragma once

#include "collectives/problem.hpp"

namespace carpool::collectives {

/// Which problems an algorithm solves.

bool always(const Problem& problem);
bool if_commutes(const Problem& problem);

/// Where one rank plans for each pair of ranks.
bool if_few(const Problem& problem);

}  // namespace carpool::collectives
