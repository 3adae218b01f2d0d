#pragma once

#include "collectives/script.hpp"
#include "routing/next_hop.hpp"

#include <cstdint>
#include <vector>

namespace carpool::collectives {

/// Stages of an alltoall whose blocks travel through a virtual topology of its ranks.

/// By any next_hop, of which each rank follows those that touch it: P^2 steps per phase at most.
void travel(Script& script, const routing::NextHop& next_hop);

/// By routing::digit_ways, in P steps per phase (Bruck et al. 1997, of equal factors). Bound with
/// datatypes this is the zero-copy form of Traff, Rougier and Hunold (2014): what comes in for
/// others is never moved, the next message takes it from where it lies.
void travel_by_digits(Script& script, const std::vector<int>& factors);

/// What all ranks together send.
std::int64_t messages_by_digits(int ranks, const std::vector<int>& factors);
std::int64_t messages_on_mesh(int ranks);
std::int64_t messages_on_grid(int ranks);
std::int64_t messages_on_hypercube(int ranks);

}  // namespace carpool::collectives
