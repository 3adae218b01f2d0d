// SPDX-License-Identifier: MIT
#include "collectives/groups.hpp"

#include "base/expects.hpp"

#include <algorithm>

namespace carpool::collectives {

Groups::Groups(int ranks, int groups, int first) : ranks_(ranks), groups_(groups), first_(first) {
    CARPOOL_EXPECTS(ranks >= groups, ranks, groups);
}

int Groups::start_of(int group) const {
    return ranks_ / groups_ * group + std::min(group, ranks_ % groups_);
}

int Groups::group_of(int rank) const {
    const int distance = (rank - first_ + ranks_) % ranks_;
    const int size = ranks_ / groups_;
    const int larger = ranks_ % groups_;
    const int in_larger = larger * (size + 1);
    return distance < in_larger ? distance / (size + 1) : larger + (distance - in_larger) / size;
}

std::vector<int> Groups::followers(int group) const {
    std::vector<int> ranks;
    for (int distance = start_of(group) + 1; distance < start_of(group + 1); ++distance)
        ranks.push_back(rank_at(distance));
    return ranks;
}

}  // namespace carpool::collectives
