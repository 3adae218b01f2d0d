// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::shared {

/// The memory of a counting barrier: an episode uses the slot of its number modulo the number of
/// slots.
struct BarrierCounters {
    static constexpr std::size_t slots = 16;

    /// Each rank brings this many values beside its number; the maximum of each is known at the
    /// end.
    static constexpr std::size_t values = 2;

    struct alignas(128) Slot {
        std::atomic<std::uint64_t> word;
        /// The last word of an episode that was over when another began.
        std::atomic<std::uint64_t> over;
        std::atomic<std::uint64_t> most[values];
    };
    Slot at[slots];
};

/// Finds out, episode by episode, when all ranks of a group that shares memory have arrived, and
/// whether the numbers that they have brought are in balance, that is, whether the low bits of
/// their sum are 0. Each rank adds to one word and looks at it, so this takes no messages. No
/// function waits, and any thread may call any function.
///
/// Episodes are numbered the same on all ranks, and each rank begins them in this order. Several
/// may be under way at once. A rank may miss some by mistake: these are never over then, but later
/// ones still give the right result, unless that rank's next episode in the same slot is 2^30
/// episodes later.
class CountingBarrier {
public:
    static constexpr int most_ranks = (1 << 10) - 1;
    static constexpr int number_bits = 27;  ///< the low bits of the sum that count

    /// @param barrier  the same for all ranks, zero at first; must outlive this object
    CountingBarrier(BarrierCounters& barrier, int ranks)
        : barrier_(barrier), ranks_(static_cast<std::uint64_t>(ranks)) {}

    using Values = std::array<std::int64_t, BarrierCounters::values>;

    /// This rank arrives. @param values  not negative
    void arrive(std::int64_t episode, std::uint64_t number, const Values& values = {});

    enum class Outcome { open, balanced, unbalanced };

    /// @pre This rank has arrived, and has not left
    Outcome outcome(std::int64_t episode);

    /// The maxima of the values that the ranks have brought.
    /// @pre The episode is over, and no rank arrives at the next episode in this slot before this
    /// rank has left this one
    Values most(std::int64_t episode) const;

    /// This rank needs to know no more: the episode is over, or the rank gives it up.
    void leave(std::int64_t episode);

private:
    /// An episode that has begun on this rank.
    struct OwnEpisode {
        std::int64_t episode;
        std::uint64_t number;
        Values values;
        bool came = false;  ///< false while an earlier episode of this rank has the slot
    };

    /// The episodes of this rank in one slot.
    struct OwnSlot {
        std::vector<OwnEpisode> episodes;  ///< only the first of them may arrive
        std::uint64_t latest = never;      ///< the last generation in which it has arrived
    };

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    static std::size_t slot_of(std::int64_t episode) {
        return static_cast<std::size_t>(episode) % BarrierCounters::slots;
    }
    Outcome outcome_in(std::uint64_t word) const;
    void let_first_come(OwnSlot& own);

    BarrierCounters& barrier_;
    std::uint64_t ranks_;
    base::Mutex mutex_;  // guards what follows
    std::array<OwnSlot, BarrierCounters::slots> own_;
};

}  // namespace carpool::shared
