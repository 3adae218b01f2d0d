#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// What a plan is weighed by. Each of the three can be had for more of the others.
struct Counts {
    std::int64_t rounds = 0;
    std::int64_t phases = 0;  ///< that wait for each other
    std::int64_t volume = 0;  ///< in blocks or, where these differ, in what they weigh

    Counts operator+(const Counts& more) const {
        return {rounds + more.rounds, phases + more.phases, volume + more.volume};
    }

    /// In nothing more, and in something less.
    bool better_than(const Counts& other) const;

    friend auto operator<=>(const Counts&, const Counts&) = default;
};

/// Those that no other is better than, of equal ones the first, by ascending counts.
std::vector<std::size_t> undominated(std::span<const Counts> all);

/// At most so many, by ascending counts: those of fewest rounds, fewest phases and least volume,
/// and of the others those that most often cost least when a phase costs from nothing to 16
/// messages, and a block of the mean size from 2^-14 to 16 messages.
///
/// @param block  the mean weight of a block
std::vector<std::size_t> worth_keeping(std::span<const Counts> all, double block, std::size_t most);

}  // namespace carpool::routing
