// SPDX-License-Identifier: MIT
#pragma once

#include "../../graphs/graph_cases.hpp"
#include "coordinates.hpp"
#include "handles.hpp"
#include "layout.hpp"
#include "world.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Numbers the edges to the same peer.
inline std::vector<int> occurrences(const std::vector<int>& peers) {
    std::map<int, int> seen;
    std::vector<int> numbers;
    for (const int peer : peers) numbers.push_back(seen[peer]++);
    return numbers;
}

/// The neighbors of a rank in a graph, with the sources in random order. The k-th edge to a rank is
/// the k-th edge from here in that rank's list.
inline Neighbors neighbors_in(const Targets& targets, int rank, std::mt19937& rng) {
    Neighbors neighbors;
    neighbors.targets = targets[static_cast<std::size_t>(rank)];
    for (std::size_t from = 0; from < targets.size(); ++from)
        for (const int to : targets[from])
            if (to == rank) neighbors.sources.push_back(static_cast<int>(from));
    std::shuffle(neighbors.sources.begin(), neighbors.sources.end(), rng);
    neighbors.source_tags = occurrences(neighbors.sources);
    neighbors.target_tags = occurrences(neighbors.targets);
    return neighbors;
}

/// The neighbors of this rank. Every rank shuffles the lists of all ranks, so that the generators
/// stay in the same state.
inline Neighbors own_neighbors(const Targets& targets, std::mt19937& rng) {
    Neighbors mine;
    for (int rank = 0; rank < static_cast<int>(targets.size()); ++rank) {
        auto neighbors = neighbors_in(targets, rank, rng);
        if (rank == world_rank()) mine = std::move(neighbors);
    }
    return mine;
}

inline Comm distributed_graph(const Neighbors& n, MPI_Comm over = MPI_COMM_WORLD) {
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(over, static_cast<int>(n.sources.size()), n.sources.data(),
                                   MPI_UNWEIGHTED, static_cast<int>(n.targets.size()),
                                   n.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_ARE_FATAL);
    return Comm(graph);
}

/// The rank at that distance from this one on a ring of all ranks.
inline int around(int distance) { return (world_rank() + distance + world_size()) % world_size(); }

/// A ring of all ranks, with an edge to the next one.
inline Neighbors ring() { return {{around(-1)}, {around(1)}, {0}, {0}}; }

/// A star, with edges from rank 0 to all other ranks.
inline Neighbors star() {
    Neighbors n;
    if (world_rank() == 0)
        for (int other = 1; other < world_size(); ++other) n.targets.push_back(other);
    else
        n.sources = {0};
    return n;
}

/// Number of ints that an edge carries: between none and four, different for each edge with v and
/// w; where blocks are gathered, different for each source. Other variations have other sizes.
inline int ints_along(Operation operation, int from, int to, int number, int variation) {
    if (from < 0 || to < 0) return 1;  // no such neighbor
    switch (operation) {
        case Operation::alltoallv:
        case Operation::alltoallw:
            return (3 * from + 5 * to + 2 * number + variation) % 5;
        case Operation::allgatherv:
        case Operation::allgatherw:
            return (from + variation) % 4;
        default:
            return 3 + variation;
    }
}

/// The layout of exchanges on graphs: like slotted(), with sizes that depend on the edge.
inline Layout along_edges(Operation operation, const Neighbors& n, int rank, int variation = 0) {
    Layout layout{{operation, {}, {}}, 0, 0, {}};
    const auto fill = [&](Side& side, Shape shape, const std::vector<int>& peers,
                          const std::vector<int>& tags, bool out) {
        const auto ints = [&](std::size_t i) {
            return out ? ints_along(operation, rank, peers[i], tags[i], variation)
                       : ints_along(operation, peers[i], rank, tags[i], variation);
        };
        if (shape == Shape::one || shape == Shape::uniform) {
            side.counts = {ints_along(operation, rank, rank, 0, variation)};
            side.types = {MPI_INT};
            return;
        }
        const int t = static_cast<int>(peers.size());
        for (int i = 0; i < t; ++i)
            Slots::add(layout, side, shape, t - 1 - i, ints(static_cast<std::size_t>(i)),
                       (i + (out ? 0 : 1)) % 3);
        if (shape == Shape::v) side.types = {MPI_INT};
    };
    fill(layout.arguments.send, layout.arguments.send_shape(), n.targets, n.target_tags, true);
    fill(layout.arguments.recv, layout.arguments.recv_shape(), n.sources, n.source_tags, false);
    const auto room = [](std::size_t t) {
        return (t + 1) * static_cast<std::size_t>(Slots::bytes);
    };
    layout.send_bytes = room(n.targets.size());
    layout.recv_bytes = room(n.sources.size());
    return layout;
}

}  // namespace carpool::tests
