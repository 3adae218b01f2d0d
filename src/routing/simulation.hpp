// SPDX-License-Identifier: MIT
#pragma once

#include "routing/program.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace carpool::routing {

/// What a bulk-synchronous computation costs.
struct SuperstepTraffic {
    std::int64_t supersteps = 0;
    std::int64_t messages = 0;  ///< sent to other ranks
    std::int64_t words = 0;     ///< in these messages
    std::int64_t board_words = 0;
};

/// The results of the programs of ranks 0 .. P-1, which have run to their end in one process.
template <typename T>
struct SimulationResult {
    std::vector<T> results;
    std::vector<SuperstepTraffic> traffic;  ///< per rank
};

/// Delivers the messages of all ranks, and counts them. @pre all exchanges are in the same
/// superstep
void deliver(std::span<SuperstepExchange> exchanges, std::span<SuperstepTraffic> traffic);

/// Runs the program of every rank up to its next superstep or its end, on all cores.
void resume(std::span<const SuperstepExchange> exchanges);

/// Runs the programs of all ranks in lock step.
template <typename T>
SimulationResult<T> simulate(int ranks, const std::function<Program<T>(int rank)>& program_of) {
    const auto count = static_cast<std::size_t>(ranks);
    std::vector<SuperstepExchange> exchanges(count);
    std::vector<Program<T>> programs;
    programs.reserve(count);
    for (int rank = 0; rank < ranks; ++rank) {
        programs.push_back(program_of(rank));
        programs.back().join(exchanges[static_cast<std::size_t>(rank)]);
    }
    SimulationResult<T> simulated{{}, std::vector<SuperstepTraffic>(count)};
    while (!programs.empty()) {
        resume(exchanges);
        if (programs.front().ended()) break;
        deliver(exchanges, simulated.traffic);
    }
    for (auto& program : programs) simulated.results.push_back(program.take());
    return simulated;
}

}  // namespace carpool::routing
