// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace carpool::topology {

/// A spanning forest of edges between vertices 0 .. n-1: less than n edges that connect the same
/// vertices as all edges do.
class Forest {
public:
    explicit Forest(int vertices) : parent_(static_cast<std::size_t>(vertices)), trees_(vertices) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    /// Keeps an edge that connects two trees.
    void join(int a, int b) {
        const int root_a = root(a);
        const int root_b = root(b);
        if (root_a == root_b) return;
        parent_[static_cast<std::size_t>(root_b)] = root_a;
        edges_.emplace_back(a, b);
        --trees_;
    }

    int trees() const { return trees_; }
    const std::vector<std::pair<int, int>>& edges() const { return edges_; }

private:
    int root(int v) {
        auto& parent = parent_[static_cast<std::size_t>(v)];
        if (parent == v) return v;
        const int grandparent = parent_[static_cast<std::size_t>(parent)];
        if (parent != grandparent) parent = grandparent;  // halves the path for later calls
        return root(parent);
    }

    std::vector<int> parent_;
    std::vector<std::pair<int, int>> edges_;
    int trees_;
};

}  // namespace carpool::topology
