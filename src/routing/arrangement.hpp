#pragma once

#include "routing/next_hop.hpp"

namespace carpool::routing {

/// The same next_hop with the ranks at other places of the virtual topology, so that flows that met
/// in one rank part ([5] §3.2, §6). Arrangement 0 leaves them where they are; each other number is
/// a random permutation, the same on all ranks and on every machine.
NextHop arranged(NextHop next_hop, int ranks, int arrangement);

}  // namespace carpool::routing
