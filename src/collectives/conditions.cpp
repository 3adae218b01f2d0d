#include "collectives/conditions.hpp"

namespace carpool::collectives {

bool always(const Problem&) { return true; }

bool if_commutes(const Problem& problem) { return problem.commutes; }

bool if_regular(const Problem& problem) { return !problem.varies(); }

bool if_few(const Problem& problem) {
    constexpr int most = 256;
    return problem.ranks <= most;
}

bool if_few_and_regular(const Problem& problem) { return if_few(problem) && if_regular(problem); }

}  // namespace carpool::collectives
