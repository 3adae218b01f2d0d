// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "contender.hpp"
#include "meeting.hpp"
#include "scene.hpp"
#include "statistics.hpp"

#include <mpi.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace bench {

/// The measurement of one contender on one scene.
struct Entry {
    const Contender* contender = nullptr;
    Exchange exchange;
    std::string failure;          // why it is not timed; empty if it is
    double pilot = 0;             // seconds of one run including the meeting
    std::vector<double> seconds;  // the slowest rank's in each repetition, or `absent`

    bool timed() const { return failure.empty(); }
};

/// The largest of all ranks' values.
/// @note Collective
inline double largest(double value, MPI_Comm comm) {
    check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm));
    return value;
}

/// Seconds that one run takes on this rank, after all ranks have met.
/// @note Collective @pre the same ranks in each call
inline double time_once(const Exchange& exchange, MPI_Comm comm) {
    static Meeting meeting(comm);
    meeting.wait(comm);
    const double start = MPI_Wtime();
    exchange.run();
    return MPI_Wtime() - start;
}

/// Runs an exchange once on a poisoned buffer. Returns what is wrong on this rank, or nothing.
inline std::string verify(const Exchange& exchange, Scene& scene) {
    poison_receive(scene.blocks);
    exchange.run();
    if (!exchange.moves_blocks) return {};
    const bool right = received_right(scene.blocks, scene.what.pattern, scene.torus, scene.rank);
    return right ? "" : "wrong data on rank " + std::to_string(scene.rank);
}

/// Prepares and verifies one contender. An error on one rank excludes it on all ranks.
/// @note Collective
inline Entry prepared(const Contender& contender, Scene& scene) {
    Entry entry;
    entry.contender = &contender;
    try {
        entry.exchange = contender.prepare(scene);
        entry.failure = verify(entry.exchange, scene);
    } catch (const std::exception& error) {
        entry.failure = error.what();
    }
    const bool failed = largest(entry.failure.empty() ? 0 : 1, scene.world) > 0;
    if (failed && entry.failure.empty()) entry.failure = "failed on another rank";
    return entry;
}

/// Seconds of a run including the meeting before it: the best of three, or of one if that takes
/// long.
/// @note Collective
inline double pilot_seconds(const Exchange& exchange, MPI_Comm comm) {
    double best = std::numeric_limits<double>::infinity();
    for (int r = 0; r < 3 && (r == 0 || best < 0.1); ++r) {
        const double start = MPI_Wtime();
        time_once(exchange, comm);
        best = std::min(best, largest(MPI_Wtime() - start, comm));
    }
    return best;
}

/// Number of starts or calls after which Carpool's measurements are done and the caches are warm.
inline constexpr int starts_until_steady = 60;

/// As pilot_seconds, but in the steady state; runs that take long are not repeated until then.
/// @note Collective
inline double steady_pilot_seconds(const Exchange& exchange, MPI_Comm comm) {
    constexpr double most_seconds = 0.25;
    const double pilot = pilot_seconds(exchange, comm);
    const double runs = std::min<double>(starts_until_steady, most_seconds / pilot);
    if (runs < 1) return pilot;
    for (int r = 0; r < runs; ++r) time_once(exchange, comm);
    return pilot_seconds(exchange, comm);
}

/// Numbers of repetitions within a time budget. Contenders that alone would use it up take part in
/// only some of the repetitions.
struct Repetitions {
    int all = 0;
    int slow = 0;
    double slow_from = 0;  // pilot seconds from which a contender is slow

    /// Whether the slow contenders take part in repetition r. They do `slow` times, evenly spread.
    bool slow_turn(int r) const { return (r + 1) * slow / all > r * slow / all; }
    bool takes_part(const Entry& entry, int r) const {
        return entry.pilot < slow_from || slow_turn(r);
    }
};

/// @pre pilots are the same on all ranks
inline Repetitions repetitions_within(double budget, const std::vector<Entry>& entries) {
    Repetitions result{.slow_from = budget / 40};
    double fast = 1e-9, slow = 1e-9;
    for (const auto& entry : entries) (entry.pilot < result.slow_from ? fast : slow) += entry.pilot;
    result.all = static_cast<int>(std::clamp(budget / fast, 10.0, 500.0));
    result.slow = static_cast<int>(std::clamp(budget / slow, 5.0, double(result.all)));
    return result;
}

/// Replaces the times of each rank by those of the slowest rank.
/// @note Collective
inline void keep_slowest(std::vector<double>& seconds, MPI_Comm comm) {
    check(MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                        MPI_MAX, comm));
}

/// Runs every contender once per repetition, in a new random order each time, which is the same on
/// all ranks.
/// @note Collective
inline void time_interleaved(std::vector<Entry>& entries, const Repetitions& repetitions,
                             std::mt19937_64& random, MPI_Comm comm) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0);
    for (auto& entry : entries)
        if (entry.timed()) entry.seconds.assign(std::size_t(repetitions.all), absent);
    for (int r = 0; r < repetitions.all; ++r) {
        std::ranges::shuffle(order, random);
        for (const auto i : order)
            if (entries[i].timed() && repetitions.takes_part(entries[i], r))
                entries[i].seconds[std::size_t(r)] = time_once(entries[i].exchange, comm);
    }
    for (auto& entry : entries) keep_slowest(entry.seconds, comm);
}

/// Prepares, verifies and times all contenders of a scene.
/// @note Collective
inline std::vector<Entry> measured(Scene& scene, double budget, std::mt19937_64& random) {
    std::vector<Entry> entries;
    for (const auto& contender : contenders) entries.push_back(prepared(contender, scene));
    for (auto& entry : entries)
        if (entry.timed()) entry.pilot = steady_pilot_seconds(entry.exchange, scene.world);
    time_interleaved(entries, repetitions_within(budget, entries), random, scene.world);
    return entries;
}

}  // namespace bench
