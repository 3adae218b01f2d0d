// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/problem.hpp"
#include "schedule/verify.hpp"

#include <span>

namespace carpool::collectives {

/// The contents that the receive slots of all ranks must have.
/// @param problems  one for each rank if its sizes vary, else one for all
/// @param pieces    the number of pieces into which the block is cut, if there is only one
schedule::Postcondition expected(std::span<const Problem> problems, int pieces);

/// How strictly summands are compared.
schedule::SumOrder order_of(const Problem& problem);

}  // namespace carpool::collectives
