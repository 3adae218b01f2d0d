#pragma once

#include "collectives/problem.hpp"

namespace carpool::collectives {

/// Which problems an algorithm solves.

bool always(const Problem& problem);
bool if_commutes(const Problem& problem);

/// Where sums of nodes stand in the order of ranks, or need not; and where they must.
bool if_nodes_sum_in_order(const Problem& problem);
bool if_nodes_in_order(const Problem& problem);

/// Where one rank of a node plans for each of its ranks and each of all.
bool if_few_on_nodes(const Problem& problem);

/// Where one rank plans for each pair of ranks.
bool if_few(const Problem& problem);

}  // namespace carpool::collectives
