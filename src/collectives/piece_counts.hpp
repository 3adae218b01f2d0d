#pragma once

#include "collectives/problem.hpp"

namespace carpool::collectives {

/// The number of pieces into which an algorithm cuts the block of a collective that has only one.

int whole(const Problem& problem);
int per_rank(const Problem& problem);
int per_group(const Problem& problem);  ///< one for each group of the Folding of all ranks

int per_node(const Problem& problem);
int per_group_of_nodes(const Problem& problem);  ///< one for each group of the Folding of all nodes

int per_lane(const Problem& problem);
int per_group_in_lanes(const Problem& problem);  ///< so many for each lane as groups of nodes

/// Pieces of about problem.segment bytes.
int per_segment(const Problem& problem);

}  // namespace carpool::collectives
