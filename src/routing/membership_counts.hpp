#pragma once

#include "routing/rank_set.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Counts for each of P ranks how many of several sets contain it.
///
/// A list costs one addition per member. Sets of bits are added 32 ranks at a time, in vertical
/// counters: bit b of word w of plane k is bit k of the count for rank 32 w + b.
class MembershipCounts {
public:
    explicit MembershipCounts(int ranks) : counts_(static_cast<std::size_t>(ranks)) {}

    void add(const RankSet& set);

    /// The counts, per rank.
    std::span<const int> counts();

private:
    using Plane = std::vector<std::uint32_t>;

    void add_bits(std::span<const int> bits);
    void flush();

    std::vector<int> counts_;
    std::vector<Plane> planes_;
    Plane carry_;
    int pending_ = 0;  // number of sets in the planes
};

}  // namespace carpool::routing
