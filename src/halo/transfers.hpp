#pragma once

#include "halo/box.hpp"
#include "halo/domain.hpp"
#include "routing/plan.hpp"
#include "topology/neighborhood.hpp"

#include <vector>

namespace carpool::halo {

/// What one rank sends and receives at once: boxes of its own array, in the same order and of the
/// same sizes on both ends. Without boxes there is no message.
struct BoxTransfer {
    int phase;
    int to;
    int from;
    std::vector<Box> send;
    std::vector<Box> receive;
    std::vector<int> after;  ///< earlier transfers that bring what is sent on
};

/// Can the plan of an allgather carry a halo? Every stop must be a part of the halo itself, so that
/// what has come can be sent on from there; and only one hop may lead along a dimension, since a
/// rank in between need not have the cells in its own halo.
bool carries_halo(const routing::Plan& plan, const topology::Neighborhood& hops);

/// A halo exchange is an allgather of which every stop keeps the part that lies in its halo: what
/// has come by one dimension is sent on along the next, so no cell is sent to a rank twice.
/// A transfer is a round of the plan, or several whose messages go to one rank at one time. Both
/// ends follow from the domain alone, and transfers ascend in phase.
///
/// @param plan  of an allgather on hops(domain, stencil)
/// @pre carries_halo(plan, hops)
std::vector<BoxTransfer> transfers_of(const routing::Plan& plan, const Domain& domain, int rank);

/// Per round, cells that a rank sends if all ranks own as much as the largest does: the same on all
/// ranks, to choose plans by.
std::vector<Cells> most_cells_sent(const routing::Plan& plan, const Domain& domain);

}  // namespace carpool::halo
