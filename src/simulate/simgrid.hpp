#pragma once

#include "choose/costs.hpp"
#include "simulate/trace.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <ostream>
#include <span>

namespace carpool::simulate {

/// Writes the traces of all ranks as one time-independent trace, which SimGrid's `smpirun -replay`
/// runs. Copies, also of
/// messages within a node, and sums are sleeps. SimGrid charges no receive overhead for messages of
/// `detached_below` bytes or more; a sleep after the wait adds it.
/// @param traces  of ranks 0 .. P-1
/// @param detached_below  smpi/send-is-detached-thresh
void write_simgrid(std::ostream& out, std::span<const Trace> traces, const choose::Costs& costs,
                   const topology::Nodes& nodes, std::int64_t detached_below);

}  // namespace carpool::simulate
