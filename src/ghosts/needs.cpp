// SPDX-License-Identifier: MIT
#include "ghosts/needs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carpool::ghosts {
namespace {

/// The positions of all ghosts, by owner, then index, then position.
std::vector<std::int64_t> sorted_positions(const GhostList& ghosts) {
    std::vector<std::int64_t> positions(ghosts.owners.size());
    std::iota(positions.begin(), positions.end(), std::int64_t{0});
    std::ranges::stable_sort(positions, {}, [&](std::int64_t position) {
        const auto i = static_cast<std::size_t>(position);
        return std::pair(ghosts.owners[i], ghosts.indices[i]);
    });
    return positions;
}

}  // namespace

std::vector<Need> needs_of(const GhostList& ghosts) {
    std::vector<Need> all;
    for (const auto position : sorted_positions(ghosts)) {
        const int owner = ghosts.owners[static_cast<std::size_t>(position)];
        const auto index = ghosts.indices[static_cast<std::size_t>(position)];
        if (all.empty() || all.back().owner != owner) all.push_back({owner, {}, {}});
        auto& [_, entries, positions] = all.back();
        if (entries.empty() || entries.back().index != index) entries.push_back({index, 0});
        ++entries.back().times;
        positions.push_back(position);
    }
    return all;
}

}  // namespace carpool::ghosts
