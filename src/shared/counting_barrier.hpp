#pragma once

#include "base/mutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::shared {

/// The memory of counting barriers: a turn has the slot of its number modulo their count.
struct BarrierCounters {
    static constexpr std::size_t slots = 16;

    /// So many values each rank says beside its number; of each the most is known at the end.
    static constexpr std::size_t values = 2;

    struct alignas(128) Slot {
        std::atomic<std::uint64_t> word;
        std::atomic<std::uint64_t> over;  ///< the latest word of a turn that was, once another came
        std::atomic<std::uint64_t> most[values];
    };
    Slot at[slots];
};

/// Tells, turn by turn, when all ranks of some that share memory have come, and whether the numbers
/// that they have brought are in balance: whether the low bits of their sum are 0. Each rank adds
/// to one word and looks at it, so it costs them no messages. Nothing waits; any thread may call
/// anything.
///
/// Turns are numbered alike on all ranks, and each begins them in this order. Some may be under way
/// at once. A rank may miss some by mistake: then these are never over, and the next ones are
/// right all the same, unless the next of that rank in the slot is 2^30 turns later.
class CountingBarrier {
public:
    static constexpr int most_ranks = (1 << 10) - 1;
    static constexpr int number_bits = 27;  ///< that count

    /// @param barrier  of all ranks; zero at first, and outlives it
    CountingBarrier(BarrierCounters& barrier, int ranks)
        : barrier_(barrier), ranks_(static_cast<std::uint64_t>(ranks)) {}

    using Values = std::array<std::int64_t, BarrierCounters::values>;

    /// This rank comes. @param values  not negative
    void arrive(std::int64_t turn, std::uint64_t number, const Values& values = {});

    enum class Outcome { open, balanced, unbalanced };

    /// @pre it has come, and not left
    Outcome outcome(std::int64_t turn);

    /// The most that any rank has said. @pre over, and no rank comes to the next turn in this slot
    /// before this one has left it
    Values most(std::int64_t turn) const;

    /// It wants to know no more: the turn is over, or it gives it up.
    void leave(std::int64_t turn);

private:
    /// A turn that has begun here.
    struct Begun {
        std::int64_t turn;
        std::uint64_t number;
        Values values;
        bool came = false;  ///< else another one here has this slot
    };

    /// What this rank has in a slot.
    struct Own {
        std::vector<Begun> begun;      ///< of which the first may come
        std::uint64_t latest = never;  ///< generation in which it has come
    };

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    static std::size_t slot_of(std::int64_t turn) {
        return static_cast<std::size_t>(turn) % BarrierCounters::slots;
    }
    Outcome outcome_in(std::uint64_t word) const;
    void let_first_come(Own& own);

    BarrierCounters& barrier_;
    std::uint64_t ranks_;
    base::Mutex mutex_;  // of what follows
    std::array<Own, BarrierCounters::slots> own_;
};

}  // namespace carpool::shared
