#pragma once

#include "collectives/folding.hpp"
#include "collectives/problem.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace carpool::collectives {

/// What the entries of several algorithms have in common.

inline bool always(const Problem&) { return true; }
inline bool if_commutes(const Problem& problem) { return problem.commutes; }
inline bool if_regular(const Problem& problem) { return !problem.varies(); }

/// One rank plans for each pair of ranks.
constexpr int most_ranks_of_pairs = 256;
inline bool if_few(const Problem& problem) { return problem.ranks <= most_ranks_of_pairs; }
inline bool if_few_and_regular(const Problem& problem) {
    return if_few(problem) && if_regular(problem);
}

inline int whole(const Problem&) { return 1; }
inline int per_rank(const Problem& problem) { return problem.ranks; }
inline int per_group(const Problem& problem) { return Folding(problem.ranks).groups(); }

/// Of about problem.segment bytes.
inline int per_segment(const Problem& problem) {
    constexpr std::int64_t most = 1024;
    const auto segment = std::max<std::int64_t>(1, problem.segment);
    return static_cast<int>(std::clamp<std::int64_t>((problem.block() - 1) / segment + 1, 1, most));
}

/// Once to each rank but one, or from it.
inline std::int64_t one_way(const Problem& problem) { return problem.ranks - 1; }
inline std::int64_t both_ways(const Problem& problem) { return 2 * one_way(problem); }
inline std::int64_t all_to_all(const Problem& problem) { return one_way(problem) * problem.ranks; }

/// By hops to the ranks at each digit of each power of a radix.
template <int radix>
std::int64_t brucked(const Problem& problem) {
    std::int64_t per_rank = 0;
    for (std::int64_t weight = 1; weight < problem.ranks; weight *= radix)
        per_rank += std::min<std::int64_t>(radix - 1, (problem.ranks - 1) / weight);
    return per_rank * problem.ranks;
}

/// ceil(log2 P)
inline int doublings(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

/// Of all leaders in one stage.
inline std::int64_t paired(const Folding& folding) {
    return std::int64_t{folding.groups()} * folding.bits();
}

/// Between leaders and followers, one way.
inline std::int64_t folded(const Problem& problem) {
    return problem.ranks - Folding(problem.ranks).groups();
}

/// The root of a tree whose sums stand in the order of ranks, where that matters.
inline int ordered_root(const Problem& problem) { return problem.commutes ? problem.root : 0; }

}  // namespace carpool::collectives
