#pragma once

namespace carpool::routing {

/// How far ranks are from each other: round a circle of all of them or, where nodes have as many
/// consecutive ranks each, round the node and round the nodes.
///
///     node 4: from rank 6 to rank 9     6 → 7 → 4 → 5 ⇒ 9    three in the node, one node: 3 + 4·1
struct Laps {
    int ranks;
    int node = 1;  ///< ranks of one

    int distance(int from, int to) const {
        return modulo(to % node - from % node, node) +
               modulo(to / node - from / node, ranks / node) * node;
    }

    int at(int from, int distance) const {
        return (from % node + distance % node) % node +
               (from / node + distance / node) % (ranks / node) * node;
    }

    /// The distance that leads back from there.
    int back(int distance) const { return this->distance(distance, 0); }

private:
    static int modulo(int number, int base) { return number < 0 ? number + base : number; }
};

}  // namespace carpool::routing
