// SPDX-License-Identifier: MIT
// The counting barrier.

#include "scenarios.hpp"
#include "shared/counting_barrier.hpp"

#include <memory>

namespace carpool::model {
namespace {

using shared::BarrierCounters;
using shared::CountingBarrier;
using Outcome = CountingBarrier::Outcome;

constexpr auto slots = static_cast<std::int64_t>(BarrierCounters::slots);

/// Arrives at an episode, waits for the others, and looks at what they have brought.
void take_part(CountingBarrier& barrier, std::int64_t episode, std::uint64_t number,
               Outcome expected, std::int64_t value, std::int64_t most) {
    barrier.arrive(episode, number, {value, 0});
    auto outcome = Outcome::open;
    await([&] {
        outcome = barrier.outcome(episode);
        return outcome != Outcome::open;
    });
    check(outcome == expected, "the numbers of all ranks are added, once each");
    check(barrier.most(episode)[0] == most, "the largest value of an episode is known at its end");
    barrier.leave(episode);
}

/// Two episodes in one slot and one in another, with numbers that cancel out or do not.
void episodes(CountingBarrier& barrier, bool first) {
    constexpr auto minus_3 = (std::uint64_t{1} << CountingBarrier::number_bits) - 3;
    take_part(barrier, 0, first ? 3 : minus_3, Outcome::balanced, first ? 5 : 2, 5);
    take_part(barrier, 1, 1, Outcome::unbalanced, 4, 4);
    take_part(barrier, slots, first ? minus_3 : 3, Outcome::balanced, first ? 1 : 2, 2);
}

void two_ranks(Run& run) {
    const auto counters = std::make_unique<BarrierCounters>();
    run.processes({[&] {
                       CountingBarrier barrier(*counters, 2);
                       episodes(barrier, true);
                   },
                   [&] {
                       CountingBarrier barrier(*counters, 2);
                       episodes(barrier, false);
                   }});
}

void three_ranks(Run& run) {
    const auto counters = std::make_unique<BarrierCounters>();
    const auto rank = [&counters](std::int64_t value) {
        return [&counters, value] {
            CountingBarrier barrier(*counters, 3);
            take_part(barrier, 0, 1, Outcome::unbalanced, value, 3);
            take_part(barrier, 1, 0, Outcome::balanced, 0, 0);
        };
    };
    run.processes({rank(1), rank(2), rank(3)});
}

}  // namespace

std::vector<NamedScenario> barrier_scenarios() {
    return {{"barrier: two ranks", two_ranks, {}},
            {"barrier: three ranks", three_ranks, {1, 1, 0}},
            {"barrier: a process is killed", two_ranks, {1, 1, 1}}};
}

}  // namespace carpool::model
