// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/script.hpp"
#include "routing/next_hop.hpp"

#include <cstdint>
#include <vector>

namespace carpool::collectives {

/// Stages of an alltoall whose blocks travel through a virtual topology of its ranks.

/// Routes blocks by any next_hop. A rank follows the blocks that pass it: P^2 steps per phase at
/// most.
void travel(Script& script, const routing::NextHop& next_hop);

/// Routes blocks by digits of their distance, in P steps per phase (Bruck et al. 1997, if the
/// factors are equal). Bound with datatypes this is the zero-copy form of Traff, Rougier and Hunold
/// (2014): a block for another rank is never moved, the next message sends it from where it lies.
void travel_by_digits(Script& script, const std::vector<int>& factors);

/// The same with any number of parts from each rank to each other. Takes a phase per factor.
/// @param leaving  by distance d, the parts for the rank at d
/// @param coming   by distance d, where the parts from the rank at -d are to be received
void travel_by_digits(Script& script, const std::vector<int>& factors, std::vector<Parts> leaving,
                      const std::vector<Parts>& coming);

/// First within nodes to the place that the target has on its node, then between nodes, both by
/// digits of the distance. All ranks send to other nodes.
/// @pre all nodes have equally many ranks
void travel_by_node(Script& script, const std::vector<int>& factors_of_places,
                    const std::vector<int>& factors_of_nodes);

/// The number of messages that all ranks together send.
std::int64_t messages_by_digits(int ranks, const std::vector<int>& factors);
std::int64_t messages_on_mesh(int ranks);
std::int64_t messages_on_grid(int ranks);
std::int64_t messages_on_hypercube(int ranks);

}  // namespace carpool::collectives
