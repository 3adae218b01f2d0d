// SPDX-License-Identifier: MIT
#include "collectives/team.hpp"

#include <algorithm>

namespace carpool::collectives {

std::optional<int> Team::place_of(int rank) const {
    const auto found = std::find(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end()) return std::nullopt;
    return static_cast<int>(found - ranks_.begin());
}

}  // namespace carpool::collectives
