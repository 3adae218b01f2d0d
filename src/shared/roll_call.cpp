#include "shared/roll_call.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::shared {
namespace {

// A word, from below: which turn it is, of those that have had this slot; how many have come; the
// sum of their numbers, whose carry falls out.

constexpr int generation_bits = 27;
constexpr int count_at = generation_bits, count_bits = 10;
constexpr int sum_at = count_at + count_bits;
constexpr std::uint64_t generations = std::uint64_t{1} << generation_bits;

std::uint64_t generation_of(std::int64_t turn) {
    return static_cast<std::uint64_t>(turn) / Roll::slots % generations;
}
std::uint64_t generation_in(std::uint64_t word) { return word % generations; }
std::uint64_t count_in(std::uint64_t word) { return (word >> count_at) % (1U << count_bits); }
std::uint64_t sum_in(std::uint64_t word) { return word >> sum_at; }

/// Who comes adds this.
std::uint64_t coming(std::uint64_t number) {
    return number << sum_at | std::uint64_t{1} << count_at;
}

// Most values have the generation above them.
constexpr int value_bits = 64 - generation_bits;
constexpr std::int64_t most_value = (std::int64_t{1} << value_bits) - 1;

void raise(std::atomic<std::uint64_t>& most, std::uint64_t generation, std::int64_t value) {
    if (value == 0) return;
    const auto mine =
        generation << value_bits | static_cast<std::uint64_t>(std::min(value, most_value));
    auto seen = most.load(std::memory_order_relaxed);
    while ((seen >> value_bits != generation || seen < mine) &&
           !most.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) {
    }
}

/// Of two that are not the same. The other may be older by half of all.
bool is_before(std::uint64_t other, std::uint64_t generation) {
    return (generation - other) % generations <= generations / 2;
}

}  // namespace

static_assert(RollCall::most_ranks < 1 << count_bits);

RollCall::Outcome RollCall::outcome_in(std::uint64_t word) const {
    if (count_in(word) < ranks_) return Outcome::open;
    return sum_in(word) == 0 ? Outcome::even : Outcome::uneven;
}

void RollCall::come(std::int64_t turn, std::uint64_t number, const Extremes& values) {
    const std::lock_guard lock(mutex_);
    auto& [begun, latest] = own_[slot_of(turn)];
    begun.push_back({turn, number, values});
    if (begun.size() == 1) come(begun.front(), latest);
}

/// What lies there of another turn is over, or has gone wrong: this rank has no part in it any
/// more. If that turn is a later one, the others have given up this one. Who has not left one that
/// is over finds its word beside the new one: no later one is over before all have left it.
void RollCall::come(Begun& begun, std::uint64_t& latest) {
    begun.came = true;
    auto& [word, over, most] = roll_.at[slot_of(begun.turn)];
    const auto generation = generation_of(begun.turn);
    for (std::size_t i = 0; i < Roll::extremes; ++i) raise(most[i], generation, begun.values[i]);
    auto seen = word.load(std::memory_order_acquire);
    std::uint64_t next = 0;
    do {
        const auto there = generation_in(seen);
        if (there == generation) {
            next = seen + coming(begun.number);
        } else if (seen == 0 || there == latest || is_before(there, generation)) {
            if (outcome_in(seen) != Outcome::open) over.store(seen, std::memory_order_relaxed);
            next = generation + coming(begun.number);
        } else {
            return;
        }
    } while (!word.compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
    latest = generation;
}

RollCall::Outcome RollCall::outcome(std::int64_t turn) {
    const std::lock_guard lock(mutex_);
    auto& [begun, latest] = own_[slot_of(turn)];
    CARPOOL_EXPECTS(!begun.empty(), turn);
    auto& first = begun.front();
    if (first.turn != turn) return Outcome::open;
    if (!first.came) come(first, latest);
    const auto& slot = roll_.at[slot_of(turn)];
    const auto generation = generation_of(turn);
    auto word = slot.word.load(std::memory_order_acquire);
    if (generation_in(word) != generation) word = slot.over.load(std::memory_order_relaxed);
    return generation_in(word) == generation ? outcome_in(word) : Outcome::open;
}

RollCall::Extremes RollCall::most(std::int64_t turn) const {
    Extremes values{};
    for (std::size_t i = 0; i < Roll::extremes; ++i) {
        const auto word = roll_.at[slot_of(turn)].most[i].load(std::memory_order_relaxed);
        if (word >> value_bits == generation_of(turn))
            values[i] = static_cast<std::int64_t>(word) & most_value;
    }
    return values;
}

void RollCall::leave(std::int64_t turn) {
    const std::lock_guard lock(mutex_);
    std::erase_if(own_[slot_of(turn)].begun, [turn](const Begun& one) { return one.turn == turn; });
}

}  // namespace carpool::shared
