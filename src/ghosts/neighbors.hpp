#pragma once

#include "ghosts/ghost_map.hpp"

#include <cstdint>
#include <vector>

namespace carpool::ghosts {

/// A rank with which this one exchanges values.
struct Neighbor {
    int rank;
    std::vector<std::int64_t> indices;  ///< ascending
};

/// The ranks that take entries of this one, ascending, with the indices of these entries.
std::vector<Neighbor> targets(const GhostMap& map);

/// The ranks that own ghosts of this one, ascending, with the positions of these ghosts.
std::vector<Neighbor> sources(const GhostMap& map);

}  // namespace carpool::ghosts
