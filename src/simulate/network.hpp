#pragma once

namespace carpool::simulate {

/// The costs of a network of nodes: the model LogGP of Alexandrov, Ionescu, Schauser and Scheiman,
/// where the ranks of a node share its adapter. All times are in seconds.
struct Network {
    double send_overhead;     ///< o: a rank is busy with a message that it sends
    double receive_overhead;  ///< o: the same with one that it receives
    double latency;           ///< L: from node to node
    double gap;               ///< g: least time between two messages of an adapter
    double per_byte;          ///< G: one byte through an adapter
    double node_latency;      ///< L between ranks of one node
    double node_per_byte;     ///< G between ranks of one node
    double copy_per_byte;     ///< blocks that a rank gathers into a message or takes out of one
};

}  // namespace carpool::simulate
