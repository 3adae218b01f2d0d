#pragma once

#include "collectives/script.hpp"
#include "collectives/tree.hpp"

#include <functional>
#include <vector>

namespace carpool::collectives {

/// This rank's place in a tree over all ranks. @tparam radix  0 for a star
template <int radix>
Tree tree_of(const Script& script, int root = 0) {
    return {script.ranks(), radix > 0 ? radix : script.ranks(), root, script.rank()};
}

/// Where the parts that belong to a rank lie here, or shall come to lie. Stages ask once per rank,
/// in the order of distances from the root: where that is rank 0, in ascending order of ranks.
using PartsOf = std::function<Parts(int rank)>;

/// The root's parts go to all ranks, whose places for them are `parts`. Takes tree.depth() phases,
/// as all stages here.
void broadcast(Script& script, const Tree& tree, const Parts& parts);

/// The parts of all ranks go to the root. @param held  asked for this rank's subtree
void gather(Script& script, const Tree& tree, const PartsOf& held);

/// Where the blocks of ranks lie in a gather of one each, or come to lie.
/// @param at_root  this rank is where they go
PartsOf blocks_to_gather(Script& script, bool at_root);

/// The block of each rank goes to its place in the root's result; the root's own stays.
void gather_blocks(Script& script, const Tree& tree);

/// The parts of all ranks come from the root. @param held  asked for this rank's subtree
void scatter(Script& script, const Tree& tree, const PartsOf& held);

/// Sums the parts of all ranks, each kind by itself, on their way to the root. There it returns per
/// part what is still to be summed, elsewhere nothing.
///
/// Summands stand in the order of ranks if the root is rank 0 or the tree a star.
std::vector<Parts> reduce(Script& script, const Tree& tree, const Parts& own);

/// Sums the one part of all ranks at the root, and makes the sum the result of all.
void reduce_bcast(Script& script, const Tree& tree);

template <int radix>
void reduce_bcast(Script& script) {
    reduce_bcast(script, tree_of<radix>(script));
}

/// From one rank to another, in one phase.
void forward(Script& script, int from, int to, const Parts& sent, const Parts& received);

}  // namespace carpool::collectives
