// SPDX-License-Identifier: MIT
#pragma once

#include "choose/costs.hpp"
#include "simulate/trace.hpp"
#include "topology/nodes.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace carpool::simulate {

/// Messages that pass somewhere, and their bytes.
struct MessageTotals {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
};

/// The cost of an exchange that all ranks begin at the same time.
struct Cost {
    double time;  ///< seconds until the last rank is through
    double busy;  ///< seconds in which the processor of the busiest rank is at work
    std::array<MessageTotals, 2> traffic;  ///< within nodes, and between them
    MessageTotals busiest_adapter;         ///< out of one node, or into it
};

/// Evaluates the traces of all ranks by LogGP, event by event: a message leaves its rank, passes
/// the adapter of its node, the network, and the adapter of the other node; within a node its ends
/// copy it, one after the other. Messages pass an adapter, and leave or reach a rank, one after the
/// other; links between nodes are not shared. Costs O(n log n) for n messages.
///
/// Throws std::invalid_argument if a message is not received, or a rank waits for ever.
/// @param traces  of ranks 0 .. P-1
Cost evaluate(std::span<const Trace> traces, const choose::Costs& costs,
              const topology::Nodes& nodes);

}  // namespace carpool::simulate
