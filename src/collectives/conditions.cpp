// SPDX-License-Identifier: MIT
#include "collectives/conditions.hpp"

#include "collectives/node_teams.hpp"

#include <cstdint>

namespace carpool::collectives {

bool always(const Problem&) { return true; }

bool if_commutes(const Problem& problem) { return problem.commutes; }

bool if_nodes_in_order(const Problem& problem) { return nodes_in_order(problem); }

bool if_nodes_sum_in_order(const Problem& problem) {
    return problem.commutes || nodes_in_order(problem);
}

bool if_nodes_equal(const Problem& problem) {
    return std::int64_t{nodes_of(problem)} * ranks_of_largest_node(problem) == problem.ranks;
}

bool if_few_on_nodes(const Problem& problem) {
    // blocks that may pass through one leader, so that its plan stays short; not measured
    constexpr std::int64_t most = 1 << 18;
    return std::int64_t{problem.ranks} * ranks_of_largest_node(problem) <= most;
}

bool if_few(const Problem& problem) {
    constexpr int most = 256;
    return problem.ranks <= most;
}

}  // namespace carpool::collectives
