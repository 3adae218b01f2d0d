#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// On which node each rank is. Nodes are numbered by their lowest ranks.
class Nodes {
public:
    /// @param names  of each rank's node, in any numbers; there is a rank
    explicit Nodes(std::span<const std::uint64_t> names);

    int ranks() const { return static_cast<int>(node_.size()); }
    int count() const { return static_cast<int>(first_.size()) - 1; }

    int node(int rank) const { return node_[static_cast<std::size_t>(rank)]; }

    /// Its ranks, ascending.
    std::span<const int> ranks_of(int node) const;

    /// Of a rank among those of its node, from 0 on.
    int place(int rank) const { return place_[static_cast<std::size_t>(rank)]; }

    /// Of the node with most.
    int most_ranks() const;

    /// Ranks of a node, where all nodes have as many consecutive ones; else 1.
    int in_a_row() const;

    /// Tells maps apart.
    std::uint64_t digest() const { return digest_; }

private:
    std::vector<int> node_;    // by rank
    std::vector<int> place_;   // by rank
    std::vector<int> sorted_;  // ranks, by node
    std::vector<int> first_;   // of each node in sorted_, and the end
    std::uint64_t digest_;
};

}  // namespace carpool::topology
