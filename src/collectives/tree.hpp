// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

namespace carpool::collectives {

/// One rank's place in a k-nomial tree over all ranks.
///
/// Ranks are numbered by their distance v from the root, modulo P. In base k, a child of v has
/// another digit in the place of one of v's trailing zeros. So each subtree is an interval of
/// distances. Radix 2 is the binomial tree, radix P a star.
///
///   radix 2, 8 ranks      0 ─ 4, 2, 1      4 ─ 6, 5      2 ─ 3      6 ─ 7
class Tree {
public:
    /// ceil(log_radix ranks)
    static int depth_of(int ranks, int radix) { return Tree(ranks, radix, 0, 0).depth(); }

    /// The ranks at distances first .. first + count - 1.
    struct Branch {
        int rank;  ///< the top of the branch
        int first;
        int count;
        int level;  ///< position of the digit that differs from the parent's; 0 for the nearest
    };

    Tree(int ranks, int radix, int root, int rank);

    /// The number of levels: ceil(log_k P).
    int depth() const { return depth_; }
    bool is_root() const { return !parent_; }

    std::optional<int> parent() const { return parent_; }
    const Branch& self() const { return self_; }
    const std::vector<Branch>& children() const { return children_; }  ///< the nearest first

    int rank_at(int distance) const { return static_cast<int>((distance + 0L + root_) % ranks_); }

private:
    int ranks_;
    int root_;
    int depth_ = 0;
    std::optional<int> parent_;
    Branch self_;
    std::vector<Branch> children_;
};

}  // namespace carpool::collectives
