#pragma once

#include "routing/basis/basis_values.hpp"
#include "routing/plan.hpp"
#include "routing/split.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Divides values into few different steps, each used at most once in a value: the additive bases
/// of [1] §5 in one dimension. {1 .. 7} are sums of 1, 2 and 4. Step j of a basis has level j.
///
/// The number of different steps is the least, and among those the volume: for alltoall the steps
/// of all blocks, for allgather the partial sums, each reached once. Sizes from the lower bound
/// log2(n + 1) upwards are searched, over steps no longer than the values lie apart (mixed: twice
/// that). Where the search ends within its budget that is exact; else the best is taken of what it
/// has found, of powers of two, and of one step for each value. The budget counts nodes, not time,
/// so all ranks find the same. It lasts for the values of stencils.
///
/// @param values  distinct, not zero, ascending
/// @param spare  so many steps more than the least number, if that makes the volume less; then the
/// search is a short one
/// @return per value its steps
std::vector<std::vector<Step>> smallest_basis(std::span<const Value> values, Signs signs,
                                              Pattern pattern, std::size_t spare = 0);

}  // namespace carpool::routing
