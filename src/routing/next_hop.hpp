// SPDX-License-Identifier: MIT
#pragma once

#include "topology/nodes.hpp"

#include <functional>
#include <vector>

namespace carpool::routing {

/// Routes through a virtual topology of P ranks: in phase k a block at rank `at` goes to
/// `next(k, at, target)`, or stays if that is `at`; after the last phase it is at its target. A
/// second application of the same phase would leave a block where it is.
struct NextHop {
    int phases;
    std::function<int(int phase, int at, int target)> next;
};

/// [5] §2.2: along the row to the target's column, then along the column. The mesh has
/// ceil(sqrt(P)) columns; the last row may have holes.
NextHop mesh_hops(int ranks);

/// [5] §2.3: along x, y and z, in the smallest cube that holds P ranks; a mesh if they fit into one
/// plane.
NextHop grid_hops(int ranks);

/// [5] §2.4: one hop per bit, in the largest hypercube of at most P ranks.
NextHop hypercube_hops(int ranks);

/// Not in the papers: the distance to the target, modulo P, is written in digits, and each digit
/// that is not zero is one hop, the lowest first. All ranks do the same for any P, so there are no
/// holes, and where all ranks have blocks for all, none sends or receives more than another.
/// @param factors  number of values of each digit, the lowest first; their product is at least P
/// @param node  ranks per node, if the first digit is to lead only to ranks of the same node
NextHop digit_hops(int ranks, std::vector<int> factors, int node = 1);

/// Not in the papers: a block for another node goes through a rank of its own node, which gathers
/// what the ranks of this node have for that one, and through a rank of the other node, which hands
/// it on. Within a node blocks go straight.
/// @param nodes  must outlive the next_hop
/// @param carriers  number of messages from a node to another; where no node has more ranks than
/// that, each rank carries its own blocks
NextHop node_hops(const topology::Nodes& nodes, int carriers);

}  // namespace carpool::routing
