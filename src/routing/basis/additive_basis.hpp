// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/basis_values.hpp"
#include "routing/plan.hpp"
#include "routing/split.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Writes values as sums of few different steps, each used at most once per value: the additive
/// bases of [1] §5 in one dimension. {1 .. 7} are sums of 1, 2 and 4. Step j has level j.
///
/// The number of different steps is minimized first, then the volume: for alltoall the number of
/// steps of all blocks, for allgather the number of partial sums, each reached once. The search
/// tries sizes from the lower bound log2(n + 1) upwards, over steps no longer than the range of
/// zero and the values (mixed: twice that). If it ends within its budget, the result is exact;
/// otherwise it is the best of what the search has found, powers of two, and one step for each
/// value. The budget counts nodes of the search tree, not time, so all ranks find the same. It
/// suffices for the values of stencils.
///
/// @param values  distinct, not zero, ascending
/// @param spare  this many more steps than the least number, if that reduces the volume; the search
/// for them is a short one
/// @return the steps of each value
std::vector<std::vector<Step>> smallest_basis(std::span<const Value> values, Signs signs,
                                              Pattern pattern, std::size_t spare = 0);

}  // namespace carpool::routing
