// SPDX-License-Identifier: MIT
#pragma once

#include "routing/rank_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Counts for each of P ranks how many of several sets contain it.
///
/// A list costs one addition per member. Sets of bits are added 32 ranks at a time, in vertical
/// counters: bit b of word w of plane k is bit k of the count for rank 32 w + b. Few members in
/// lists are sorted, which takes no time or memory for the other ranks.
class MembershipCounts {
public:
    explicit MembershipCounts(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

    void add(const RankSet& set);

    struct Member {
        int rank;
        int count;
    };

    /// The ranks that are in at least that many sets, ascending. @pre least is at least 1
    std::vector<Member> in_at_least(int least);

private:
    using Plane = std::vector<std::uint32_t>;

    void add_bits(std::span<const int> bits);
    void flush();
    std::span<const int> counts();
    std::vector<Member> sorted_members(int least);

    std::size_t ranks_;
    std::vector<int> listed_;  // the members of all lists
    std::vector<int> counts_;  // per rank, of the sets of bits that are not in the planes
    std::vector<Plane> planes_;
    Plane carry_;
    int pending_ = 0;  // number of sets in the planes
};

}  // namespace carpool::routing
