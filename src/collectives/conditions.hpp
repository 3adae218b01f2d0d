// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/problem.hpp"

namespace carpool::collectives {

/// Conditions on the problem under which an algorithm applies.

bool always(const Problem& problem);
bool if_commutes(const Problem& problem);

/// Whether the ranks of each node are consecutive. The first condition also holds for operators
/// that commute, whose sums may be in any order.
bool if_nodes_sum_in_order(const Problem& problem);
bool if_nodes_in_order(const Problem& problem);

/// Whether all nodes have equally many ranks.
bool if_nodes_equal(const Problem& problem);

/// Limits algorithms whose leaders plan for each pair of a rank of their node and any rank.
bool if_few_on_nodes(const Problem& problem);

/// Limits algorithms in which one rank plans for each pair of ranks.
bool if_few(const Problem& problem);

}  // namespace carpool::collectives
