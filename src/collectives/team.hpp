#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::collectives {

/// Some of the ranks, numbered anew by their places here.
class Team {
public:
    explicit Team(std::vector<int> ranks) : ranks_(std::move(ranks)) {}

    int size() const { return static_cast<int>(ranks_.size()); }
    int rank_at(int place) const { return ranks_[static_cast<std::size_t>(place)]; }

    /// Nothing for a rank that is not here.
    std::optional<int> place_of(int rank) const;

private:
    std::vector<int> ranks_;
};

}  // namespace carpool::collectives
