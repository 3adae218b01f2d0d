// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::collectives {

/// Some of the ranks, renumbered by their places in the team.
class Team {
public:
    explicit Team(std::vector<int> ranks) : ranks_(std::move(ranks)) {}

    int size() const { return static_cast<int>(ranks_.size()); }
    int rank_at(int place) const { return ranks_[static_cast<std::size_t>(place)]; }

    /// The place of a rank, or nothing if it is not in the team.
    std::optional<int> place_of(int rank) const;

private:
    std::vector<int> ranks_;
};

}  // namespace carpool::collectives
