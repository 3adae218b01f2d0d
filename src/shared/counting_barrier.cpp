// SPDX-License-Identifier: MIT
#include "shared/counting_barrier.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::shared {
namespace {

// A word holds, from its low bits up: the generation, which is the number of the episode among
// those of this slot; how many ranks have arrived; and the sum of their numbers, whose carry is
// dropped.

constexpr int generation_bits = 27;
constexpr int count_at = generation_bits, count_bits = 10;
constexpr int sum_at = count_at + count_bits;
constexpr std::uint64_t generations = std::uint64_t{1} << generation_bits;

std::uint64_t generation_of(std::int64_t episode) {
    return static_cast<std::uint64_t>(episode) / BarrierCounters::slots % generations;
}
std::uint64_t generation_in(std::uint64_t word) { return word % generations; }
std::uint64_t count_in(std::uint64_t word) { return (word >> count_at) % (1U << count_bits); }
std::uint64_t sum_in(std::uint64_t word) { return word >> sum_at; }

/// What a rank that arrives adds to the word.
std::uint64_t coming(std::uint64_t number) {
    return number << sum_at | std::uint64_t{1} << count_at;
}

/// Whether a generation is earlier than another one. Generations are reused: the half of them
/// before a generation count as earlier.
bool is_before(std::uint64_t other, std::uint64_t generation) {
    return other != generation && (generation - other) % generations <= generations / 2;
}

// In a word of `most` the generation is above the value.
constexpr int value_bits = 64 - generation_bits;
constexpr std::int64_t most_value = (std::int64_t{1} << value_bits) - 1;

/// Raises a maximum to the value, unless it is that of a later episode already.
void raise(std::atomic<std::uint64_t>& most, std::uint64_t generation, std::int64_t value) {
    const auto mine =
        generation << value_bits | static_cast<std::uint64_t>(std::min(value, most_value));
    const auto is_more = [&](std::uint64_t seen) {
        const auto there = seen >> value_bits;
        return seen == 0 || (there == generation ? seen < mine : is_before(there, generation));
    };
    auto seen = most.load(std::memory_order_relaxed);
    while (value != 0 && is_more(seen) &&
           !most.compare_exchange_weak(seen, mine, std::memory_order_relaxed)) {
    }
}

}  // namespace

static_assert(CountingBarrier::most_ranks < 1 << count_bits &&
              CountingBarrier::number_bits == 64 - sum_at);

CountingBarrier::Outcome CountingBarrier::outcome_in(std::uint64_t word) const {
    if (count_in(word) < ranks_) return Outcome::open;
    return sum_in(word) == 0 ? Outcome::balanced : Outcome::unbalanced;
}

void CountingBarrier::arrive(std::int64_t episode, std::uint64_t number, const Values& values) {
    const std::lock_guard lock(mutex_);
    auto& own = own_[slot_of(episode)];
    own.episodes.push_back({episode, number, values});
    if (own.episodes.size() == 1) let_first_come(own);
}

/// If the word is of another generation, that episode is over or given up here, so the new episode
/// takes its place. But if it is of a later episode, the other ranks have given up this one. If the
/// episode in the word was over, its last word is kept beside the new one for ranks that have not
/// seen it: no later episode is over before these have arrived at it.
void CountingBarrier::let_first_come(OwnSlot& own) {
    auto& first = own.episodes.front();
    auto& [word, over, most] = barrier_.at[slot_of(first.episode)];
    const auto generation = generation_of(first.episode);
    first.came = true;
    for (std::size_t i = 0; i < BarrierCounters::values; ++i)
        raise(most[i], generation, first.values[i]);
    auto seen = word.load(std::memory_order_acquire);
    std::uint64_t next = 0;
    do {
        const auto there = generation_in(seen);
        if (there == generation) {
            next = seen + coming(first.number);
        } else if (seen == 0 || there == own.latest || is_before(there, generation)) {
            if (outcome_in(seen) != Outcome::open) over.store(seen, std::memory_order_relaxed);
            next = generation + coming(first.number);
        } else {
            return;
        }
    } while (!word.compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
    own.latest = generation;
}

CountingBarrier::Outcome CountingBarrier::outcome(std::int64_t episode) {
    const std::lock_guard lock(mutex_);
    auto& own = own_[slot_of(episode)];
    CARPOOL_EXPECTS(!own.episodes.empty(), episode);
    if (own.episodes.front().episode != episode) return Outcome::open;
    if (!own.episodes.front().came) let_first_come(own);
    const auto& slot = barrier_.at[slot_of(episode)];
    const auto generation = generation_of(episode);
    auto word = slot.word.load(std::memory_order_acquire);
    if (generation_in(word) != generation) word = slot.over.load(std::memory_order_relaxed);
    return generation_in(word) == generation ? outcome_in(word) : Outcome::open;
}

CountingBarrier::Values CountingBarrier::most(std::int64_t episode) const {
    Values values{};
    for (std::size_t i = 0; i < BarrierCounters::values; ++i) {
        const auto word = barrier_.at[slot_of(episode)].most[i].load(std::memory_order_relaxed);
        if (word >> value_bits == generation_of(episode))
            values[i] = static_cast<std::int64_t>(word) & most_value;
    }
    return values;
}

void CountingBarrier::leave(std::int64_t episode) {
    const std::lock_guard lock(mutex_);
    std::erase_if(own_[slot_of(episode)].episodes,
                  [episode](const OwnEpisode& one) { return one.episode == episode; });
}

}  // namespace carpool::shared
