// SPDX-License-Identifier: MIT
#pragma once

#include "ghosts/index_lists.hpp"
#include "ghosts/needs.hpp"
#include "routing/program.hpp"
#include "routing/rule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace carpool::ghosts {

/// One rank's part in a map of ghosts: a multicast graph. Each class of its entries is a block,
/// with an edge to every rank that has ghosts of it; its label is the number of the class.
struct GhostMap {
    topology::Adjacency edges;

    /// The number of entries along each edge. Routes are planned with these in place of bytes, so
    /// their sizes and loads count entries.
    routing::EdgeBytes entries;

    /// Per edge to a rank, how many ghosts that has of each entry.
    std::vector<int> times;

    /// Per class, the indices of its entries, ascending.
    IndexLists sent;

    /// Per edge from an owner, the positions of its ghosts, in the order of the entries. A rank
    /// with k ghosts of each entry has k edges.
    IndexLists received;
};

/// A ghost whose owner has no such entry.
struct NoSuchEntry {
    std::int64_t ghost;  ///< its position
    std::int64_t owned;  ///< the number of entries that the owner has
};

/// Finds one rank's part: it tells owners which entries it needs, and hears from them in which
/// classes these are. Takes two supersteps. Every rank finishes, even if some ghosts name entries
/// that do not exist.
/// @param owned  the number of entries that this rank owns
/// @pre owners are ranks, indices are at least 0; what `ghosts` refers to outlives the program
routing::Program<std::variant<GhostMap, NoSuchEntry>> find_map(std::int64_t owned,
                                                               GhostList ghosts);

}  // namespace carpool::ghosts
