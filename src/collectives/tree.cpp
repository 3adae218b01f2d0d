// SPDX-License-Identifier: MIT
#include "collectives/tree.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::collectives {

Tree::Tree(int ranks, int radix, int root, int rank) : ranks_(ranks), root_(root) {
    const std::int64_t base = std::max(2, radix);
    const std::int64_t distance = (rank - root + 0L + ranks) % ranks;
    self_ = {rank, static_cast<int>(distance), 1, 0};
    bool trailing_zeros = true;
    for (std::int64_t weight = 1; weight < ranks; weight *= base, ++depth_) {
        if (!trailing_zeros) continue;
        const auto digit = distance / weight % base;
        if (digit != 0) {
            trailing_zeros = false;
            self_.level = depth_;
            parent_ = rank_at(static_cast<int>(distance - digit * weight));
            continue;
        }
        for (std::int64_t next = 1; next < base && distance + next * weight < ranks; ++next) {
            const auto first = distance + next * weight;
            const auto count = std::min(weight, ranks - first);
            children_.push_back({rank_at(static_cast<int>(first)), static_cast<int>(first),
                                 static_cast<int>(count), depth_});
        }
    }
    for (const auto& child : children_) self_.count += child.count;
}

}  // namespace carpool::collectives
