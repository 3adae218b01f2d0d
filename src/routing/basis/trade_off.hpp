// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// The costs of a plan. Each of the three can be reduced at the expense of the others.
struct Counts {
    std::int64_t rounds = 0;
    std::int64_t phases = 0;  ///< phases that wait for each other
    std::int64_t volume = 0;  ///< in blocks or, where these differ, in weights

    Counts operator+(const Counts& more) const {
        return {rounds + more.rounds, phases + more.phases, volume + more.volume};
    }

    /// Is no count greater than the other's, and some count less?
    bool better_than(const Counts& other) const;

    friend auto operator<=>(const Counts&, const Counts&) = default;
};

/// The indices of the counts that no other is better than (the first of equal ones), by ascending
/// counts.
std::vector<std::size_t> undominated(std::span<const Counts> all);

/// The indices of at most `most` counts, by ascending counts: those with the fewest rounds, the
/// fewest phases and the least volume, and of the others those that are cheapest most often, when a
/// phase costs from 0 to 16 messages and a block of mean weight from 2^-14 to 16 messages.
///
/// @param block  the mean weight of a block
std::vector<std::size_t> worth_keeping(std::span<const Counts> all, double block, std::size_t most);

}  // namespace carpool::routing
