// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/lanes.hpp"
#include "collectives/problem.hpp"

namespace carpool::collectives {

/// The number of pieces into which an algorithm cuts the block of a collective that has only one.

int whole(const Problem& problem);
int per_rank(const Problem& problem);
int per_group(const Problem& problem);  ///< one for each group of the Folding of all ranks

int per_node(const Problem& problem);
int per_group_of_nodes(const Problem& problem);  ///< one for each group of the Folding of all nodes

/// One for each lane, or for each lane as many as there are groups in the Folding of all nodes.
template <Within within>
int per_lane(const Problem& problem) {
    return lanes_of(problem, within);
}
template <Within within>
int per_group_in_lanes(const Problem& problem) {
    return lanes_of(problem, within) * per_group_of_nodes(problem);
}

/// Pieces of about problem.segment bytes.
int per_segment(const Problem& problem);

}  // namespace carpool::collectives
