// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace carpool::collectives {

/// The ranks in groups of consecutive ranks. Their sizes differ by one at most, the larger ones
/// come first. The first rank of a group is its leader. The others, its followers, send their parts
/// to the leader and receive the result from it.
///
///   6 ranks, 4 groups      {0, 1}  {2, 3}  {4}  {5}
class Groups {
public:
    /// @param first  the rank that leads group 0; those after the last rank follow it
    /// @pre there are at least as many ranks as groups
    Groups(int ranks, int groups, int first = 0);

    int groups() const { return groups_; }
    bool has_followers() const { return ranks_ > groups_; }

    int group_of(int rank) const;
    int leader(int group) const { return rank_at(start_of(group)); }
    bool leads(int rank) const { return leader(group_of(rank)) == rank; }

    /// The other ranks of a group.
    std::vector<int> followers(int group) const;

private:
    int start_of(int group) const;
    int rank_at(int distance) const { return (first_ + distance) % ranks_; }

    int ranks_;
    int groups_;
    int first_;
};

}  // namespace carpool::collectives
