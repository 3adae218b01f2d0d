// SPDX-License-Identifier: MIT
#pragma once

#include "choose/costs.hpp"
#include "simulate/trace.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <ostream>
#include <span>

namespace carpool::simulate {

/// Writes the traces of all ranks as one time-independent trace, which SimGrid's `smpirun -replay`
/// runs. Sums and copies, also those of messages within a node, are sleeps. SimGrid has one
/// overhead for all messages, and charges a receive overhead only below `detached_below` bytes; for
/// longer messages a sleep after the wait stands for it. It knows no bandwidth of a rank beside
/// that of its node, and no congestion of adapters.
/// @param traces  of ranks 0 .. P-1
/// @param detached_below  smpi/send-is-detached-thresh
void write_simgrid(std::ostream& out, std::span<const Trace> traces, const choose::Costs& costs,
                   const topology::Nodes& nodes, std::int64_t detached_below);

}  // namespace carpool::simulate
