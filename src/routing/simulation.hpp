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
    std::int64_t messages = 0;  ///< sent, to others
    std::int64_t words = 0;     ///< in them
    std::int64_t board_words = 0;
};

/// Programs of ranks 0 .. P-1 that have run to their end in one process.
template <typename T>
struct Simulated {
    std::vector<T> results;
    std::vector<SuperstepTraffic> traffic;  ///< per rank
};

/// Brings the mail of all ranks, and counts it. All conversations are in the same superstep.
void deliver(std::span<Conversation> conversations, std::span<SuperstepTraffic> traffic);

/// Lets every rank compute until its next superstep, or its end; on all cores.
void resume(std::span<const Conversation> conversations);

/// Runs the programs of all ranks in lock step.
template <typename T>
Simulated<T> simulate(int ranks, const std::function<Program<T>(int rank)>& program_of) {
    const auto count = static_cast<std::size_t>(ranks);
    std::vector<Conversation> conversations(count);
    std::vector<Program<T>> programs;
    programs.reserve(count);
    for (int rank = 0; rank < ranks; ++rank) {
        programs.push_back(program_of(rank));
        programs.back().join(conversations[static_cast<std::size_t>(rank)]);
    }
    Simulated<T> simulated{{}, std::vector<SuperstepTraffic>(count)};
    while (!programs.empty()) {
        resume(conversations);
        if (programs.front().ended()) break;
        deliver(conversations, simulated.traffic);
    }
    for (auto& program : programs) simulated.results.push_back(program.take());
    return simulated;
}

}  // namespace carpool::routing
