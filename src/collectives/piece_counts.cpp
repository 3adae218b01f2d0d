// SPDX-License-Identifier: MIT
#include "collectives/piece_counts.hpp"

#include "collectives/folding.hpp"
#include "collectives/node_teams.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::collectives {

int whole(const Problem&) { return 1; }

int per_rank(const Problem& problem) { return problem.ranks; }

int per_group(const Problem& problem) { return Folding(problem.ranks).groups(); }

int per_node(const Problem& problem) { return nodes_of(problem); }

int per_group_of_nodes(const Problem& problem) { return Folding(nodes_of(problem)).groups(); }

int per_segment(const Problem& problem) {
    constexpr std::int64_t most = 1024;
    const auto segment = std::max<std::int64_t>(1, problem.segment);
    return static_cast<int>(std::clamp<std::int64_t>((problem.block() - 1) / segment + 1, 1, most));
}

}  // namespace carpool::collectives
