#pragma once

#include "topology/nodes.hpp"

#include <functional>
#include <vector>

namespace carpool::routing {

/// Ways through a virtual topology of P ranks: in phase k a block at rank `at` goes to
/// `next(k, at, target)`, or stays if that is `at`; after the last phase it is at its target. Where
/// it comes to in a phase it would also stay in it.
struct NextHop {
    int phases;
    std::function<int(int phase, int at, int target)> next;
};

/// [5] §2.2: along the row to the target's column, then along the column. The mesh has as many
/// columns as the next higher square; the last row may have holes.
NextHop mesh_hops(int ranks);

/// [5] §2.3: along x, y and z, in the next higher cube. A single plane is a mesh.
NextHop grid_hops(int ranks);

/// [5] §2.4: one hop per bit, in the next lower hypercube.
NextHop hypercube_hops(int ranks);

/// Ours: the distance to the target, modulo P, written in digits; a hop for each that is not zero,
/// the lowest first. All ranks do the same whatever P is, so there are no holes, and no rank sends
/// or receives more than another where all have blocks for all.
/// @param factors  values of each digit from the lowest on, whose product is at least P
/// @param node  ranks of a node, if the first digit is to lead to those of the same node only
NextHop digit_hops(int ranks, std::vector<int> factors, int node = 1);

/// Ours: to another node through a rank of the own one, which takes along what others here have for
/// that node too, and through a rank there, which hands it on. Within a node straight.
/// @param nodes  must outlive the next_hop
/// @param carriers  messages in which all goes from a node to another one; where no node has more
/// ranks, each carries its own
NextHop node_hops(const topology::Nodes& nodes, int carriers);

}  // namespace carpool::routing
