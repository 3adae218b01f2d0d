// SPDX-License-Identifier: MIT
#pragma once

#include "halo/box.hpp"
#include "halo/domain.hpp"
#include "routing/plan.hpp"
#include "topology/neighborhood.hpp"

#include <vector>

namespace carpool::halo {

/// One message that a rank sends and one that it receives in a phase: boxes of its own array, in
/// the same order and of the same sizes on both ends. Without boxes there is no message.
struct BoxTransfer {
    int phase;
    int to;
    int from;
    std::vector<Box> send;
    std::vector<Box> receive;
    std::vector<int> after;  ///< earlier transfers whose cells this one forwards
};

/// Can the plan of an allgather carry a halo? Every stop must be a part of the halo itself, so that
/// cells that have arrived can be forwarded from there; and a route may take only one hop along
/// each dimension, since a rank in between need not have the cells in its own halo.
bool carries_halo(const routing::Plan& plan, const topology::Neighborhood& hops);

/// A halo exchange is an allgather in which every stop keeps the part that lies in its halo: cells
/// that have arrived along one dimension are forwarded along the next, so no cell is sent to a rank
/// twice. A transfer is a round of the plan, or several rounds whose messages go to the same rank
/// in the same phase. The boxes of both ends follow from the domain alone. Transfers are in
/// ascending order of phases.
///
/// @param plan  the plan of an allgather on hops(domain, stencil)
/// @pre carries_halo(plan, hops)
std::vector<BoxTransfer> transfers_of(const routing::Plan& plan, const Domain& domain, int rank);

/// Per round, the number of cells that a rank sends if all ranks own as many as the largest: the
/// same on all ranks, so that they can choose a plan by it.
std::vector<Cells> most_cells_sent(const routing::Plan& plan, const Domain& domain);

}  // namespace carpool::halo
