#pragma once

#include "routing/next_hop.hpp"

namespace carpool::routing {

/// The given next_hop with the ranks at other places of the virtual topology, so that flows that
/// met in one rank are separated ([5] §3.2, §6). Arrangement 0 leaves every rank at its place; any
/// other number selects a random permutation, the same on all ranks and on every machine.
NextHop arranged(NextHop next_hop, int ranks, int arrangement);

}  // namespace carpool::routing
