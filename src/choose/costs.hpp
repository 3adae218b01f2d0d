// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace carpool::choose {

/// The cost of communication between two ranks: the linear model of [2] §3.1, and what a phase
/// costs beyond its messages: the latency, and the wait for blocks that are to be forwarded. With
/// sigma 0 and one port it is the paper's model. On a k-ported system ([1] §3, §5) k messages of a
/// phase cost one alpha. In the terms of LogGP, alpha is o of both ends, beta is G, and sigma is L.
struct CostModel {
    double alpha;                ///< seconds per message, at both of its ends together
    double beta;                 ///< seconds per byte
    double sigma;                ///< seconds per phase
    std::int64_t ports = 1;      ///< messages of a process that are under way at once for one alpha
    double share_of_send = 0.5;  ///< the part of alpha for which the sender is busy

    double send() const { return share_of_send * alpha; }
    double receive() const { return (1 - share_of_send) * alpha; }

    /// The alpha of one message among many.
    double alpha_of_many() const { return alpha / static_cast<double>(ports); }

    friend bool operator==(const CostModel&, const CostModel&) = default;
};

/// What communication costs on a machine of nodes whose ranks share an adapter to the network; all
/// times are in seconds. Estimates and the simulation by LogGP use the same costs.
struct Costs {
    CostModel node;     ///< between ranks of one node, whose cores copy the bytes
    CostModel network;  ///< between nodes; beta is that of one rank, however many share the adapter

    double adapter_per_byte = 0;     ///< through the adapter of a node
    double adapter_per_message = 0;  ///< the least time between two messages of an adapter
    double copy_per_byte = 0;        ///< to put blocks into a message, or to take them out
    double sum_per_byte = 5e-11;     ///< to add blocks; measured through the memory of one node

    /// Messages that each rank of a node may have in flight, and what each further one costs the
    /// adapter of the node. Some networks stall where thousands of messages are sent at once.
    std::int64_t in_flight = std::numeric_limits<std::int64_t>::max();
    double congestion = 0;

    /// Adapters move bytes while ranks do other things; else ranks move the bytes themselves.
    bool overlaps = false;

    friend bool operator==(const Costs&, const Costs&) = default;
};

}  // namespace carpool::choose
