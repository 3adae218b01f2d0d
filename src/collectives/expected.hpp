#pragma once

#include "collectives/problem.hpp"
#include "schedule/verify.hpp"

#include <span>

namespace carpool::collectives {

/// What must lie in the receive slots of all ranks.
/// @param problems  one for each rank if its sizes vary, else one for all
/// @param pieces    into which the one block is cut
schedule::Postcondition expected(std::span<const Problem> problems, int pieces);

/// How exactly the summands must be there.
schedule::SumOrder order_of(const Problem& problem);

}  // namespace carpool::collectives
