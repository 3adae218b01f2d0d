#pragma once

#include "ghosts/index_lists.hpp"
#include "ghosts/wanted.hpp"
#include "routing/program.hpp"
#include "routing/rule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <variant>

namespace carpool::ghosts {

/// One rank's part in a map of ghosts: a multicast graph. Each class of its entries is a block,
/// with an edge to every rank that takes it; its label is the number of the class.
struct GhostMap {
    topology::Adjacency edges;

    /// The number of entries along each edge.
    routing::EdgeBytes entries;

    /// Per class, the indices of its entries, ascending.
    IndexLists sent;

    /// Per edge from an owner, the positions of its ghosts, in the order of the entries. An edge is
    /// listed as often as its entries are taken.
    IndexLists received;
};

/// A ghost whose owner has no such entry.
struct NoSuchEntry {
    std::int64_t ghost;  ///< its position
    std::int64_t owned;  ///< the number of entries that the owner has
};

/// Finds one rank's part: it tells owners what it wants, and hears from them in which classes that
/// is. Takes two supersteps. All ranks finish, also if some have wanted what there is not.
/// @param owned  the number of entries that this rank owns
/// @pre owners are ranks, indices are at least 0; what `ghosts` refers to outlives the program
routing::Program<std::variant<GhostMap, NoSuchEntry>> mapped(std::int64_t owned, Ghosts ghosts);

}  // namespace carpool::ghosts
