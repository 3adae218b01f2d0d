// SPDX-License-Identifier: MIT
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

/// Gives where the parts that belong to a rank lie on this rank, or are to be received. Stages call
/// it once per rank, in the order of distances from the root: in ascending order of ranks if the
/// root is rank 0.
using PartsOf = std::function<Parts(int rank)>;

/// Sends the root's parts to all ranks, which receive them in `parts`. Takes tree.depth() phases,
/// like all stages here.
void broadcast(Script& script, const Tree& tree, const Parts& parts);

/// The parts of all ranks go to the root.
/// @param held  called for the ranks of this rank's subtree
void gather(Script& script, const Tree& tree, const PartsOf& held);

/// Where the blocks of ranks lie, or are to be received, in a gather of one block per rank.
/// @param at_root  this rank is the root
PartsOf blocks_to_gather(Script& script, bool at_root);

/// Sends the block of each rank to its place in the root's result; the root's own is not copied.
void gather_blocks(Script& script, const Tree& tree);

/// The parts of all ranks come from the root.
/// @param held  called for the ranks of this rank's subtree
void scatter(Script& script, const Tree& tree, const PartsOf& held);

/// Sums the parts of all ranks on their way to the root, the i-th of one rank with the i-th of each
/// other. Returns the remaining summands of each part on the root, nothing elsewhere.
///
/// Summands are in the order of ranks if the root is rank 0 or the tree is a star.
std::vector<Parts> reduce(Script& script, const Tree& tree, const Parts& own);

/// Sums one part of each rank at the root, and makes the sum the result of all ranks.
void reduce_bcast(Script& script, const Tree& tree);

template <int radix>
void reduce_bcast(Script& script) {
    reduce_bcast(script, tree_of<radix>(script));
}

/// Sends parts from one rank to another, in one phase.
void forward(Script& script, int from, int to, const Parts& sent, const Parts& received);

}  // namespace carpool::collectives
