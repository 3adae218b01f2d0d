#pragma once

#include "collectives/problem.hpp"

namespace carpool::collectives {

/// Into how many pieces an algorithm cuts the one block that there is.

int whole(const Problem& problem);
int per_rank(const Problem& problem);
int per_group(const Problem& problem);  ///< of its Folding

int per_node(const Problem& problem);
int per_group_of_nodes(const Problem& problem);  ///< of the Folding of its nodes

/// Of about problem.segment bytes.
int per_segment(const Problem& problem);

}  // namespace carpool::collectives
