// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// The node of each rank. Nodes are numbered in the order of their lowest ranks.
class Nodes {
public:
    /// @param names  per rank, any number that identifies its node; not empty
    explicit Nodes(std::span<const std::uint64_t> names);

    int ranks() const { return static_cast<int>(node_.size()); }
    int count() const { return static_cast<int>(first_.size()) - 1; }

    int node(int rank) const { return node_[static_cast<std::size_t>(rank)]; }

    /// The ranks of a node, ascending.
    std::span<const int> ranks_of(int node) const;

    /// The place of a rank among those of its node, from 0 on.
    int place(int rank) const { return place_[static_cast<std::size_t>(rank)]; }

    /// The number of ranks of the largest node.
    int most_ranks() const { return most_ranks_; }

    /// The number of ranks per node, if every node has that many consecutive ranks; otherwise 1.
    int in_a_row() const { return in_a_row_; }

    /// A digest by which to distinguish maps of ranks to nodes.
    std::uint64_t digest() const { return digest_; }

private:
    int found_most_ranks() const;
    int found_in_a_row() const;

    std::vector<int> node_;    // by rank
    std::vector<int> place_;   // by rank
    std::vector<int> sorted_;  // ranks, by node
    std::vector<int> first_;   // start of each node in sorted_, and the end
    std::uint64_t digest_;
    int most_ranks_;  // found once, since rules ask for it on every rank
    int in_a_row_;    // and for this
};

}  // namespace carpool::topology
