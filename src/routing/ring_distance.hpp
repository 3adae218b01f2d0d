// SPDX-License-Identifier: MIT
#pragma once

namespace carpool::routing {

/// The distances between ranks: around a ring of all ranks or, where every node has the same number
/// of consecutive ranks, around the ring of a node's ranks and around the ring of nodes.
///
///     node 4: from rank 6 to rank 9     6 → 7 → 4 → 5 ⇒ 9    three in the node, one node: 3 + 4·1
struct RingDistance {
    int ranks;
    int node = 1;  ///< ranks per node

    int distance(int from, int to) const {
        return modulo(to % node - from % node, node) +
               modulo(to / node - from / node, ranks / node) * node;
    }

    int at(int from, int distance) const {
        return (from % node + distance % node) % node +
               (from / node + distance / node) % (ranks / node) * node;
    }

    /// The distance from `at(from, distance)` back to `from`.
    int back(int distance) const { return this->distance(distance, 0); }

private:
    static int modulo(int number, int base) { return number < 0 ? number + base : number; }
};

}  // namespace carpool::routing
