// SPDX-License-Identifier: MIT
#pragma once

#include "ghosts/ghost_map.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace carpool::ghosts {

/// A rank with which this one exchanges values.
struct Neighbor {
    int rank;
    std::vector<std::int64_t> indices;  ///< ascending
};

/// The neighbors of a rank in a map, listed when they are first asked for. Any thread may ask.
class Neighbors {
public:
    /// The ranks that take entries of this one, ascending, with the indices of these entries.
    const std::vector<Neighbor>& targets(const GhostMap& map);

    /// The ranks that own ghosts of this one, ascending, with the positions of these ghosts.
    const std::vector<Neighbor>& sources(const GhostMap& map);

private:
    std::once_flag targets_are_known_;
    std::once_flag sources_are_known_;
    std::vector<Neighbor> targets_;
    std::vector<Neighbor> sources_;
};

}  // namespace carpool::ghosts
