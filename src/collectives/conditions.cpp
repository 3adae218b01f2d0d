#include "collectives/conditions.hpp"

namespace carpool::collectives {

bool always(const Problem&) { return true; }

bool if_commutes(const Problem& problem) { return problem.commutes; }

bool if_few(const Problem& problem) {
    constexpr int most = 256;
    return problem.ranks <= most;
}

}  // namespace carpool::collectives
