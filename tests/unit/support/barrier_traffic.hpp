// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "shared/counting_barrier.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

/// Ranks that call the barrier episode after episode, each in a thread of its own, with numbers
/// whose sum is balanced in some episodes and not in others. Counts how often a rank gets a wrong
/// outcome.
class BarrierTraffic {
public:
    explicit BarrierTraffic(std::uint64_t seed) : seed_(seed) {}

    std::size_t run(int ranks, int episodes) {
        std::vector<std::thread> threads;
        for (int rank = 0; rank < ranks; ++rank)
            threads.emplace_back([=, this] { come_to_all(rank, ranks, episodes); });
        for (auto& thread : threads) thread.join();
        return wrong_;
    }

    static bool is_balanced(std::uint64_t seed, int episode) {
        return (seed + static_cast<std::uint64_t>(episode)) % 5 != 0;
    }

    /// The number of a rank. The sum over all ranks is 0 in a balanced episode, otherwise 1.
    static std::uint64_t number(std::uint64_t seed, int episode, int rank, int ranks) {
        const auto others = static_cast<std::uint64_t>(ranks - 1);
        const std::uint64_t each = seed * 977 + static_cast<std::uint64_t>(episode);
        if (rank > 0) return each;
        return 0 - each * others + (is_balanced(seed, episode) ? 0 : 1);
    }

private:
    using CountingBarrier = carpool::shared::CountingBarrier;

    void come_to_all(int rank, int ranks, int episodes) {
        CountingBarrier calls(*barrier_, ranks);
        for (int episode = 0; episode < episodes; ++episode) {
            calls.arrive(episode, number(seed_, episode, rank, ranks), {episode + rank, 7});
            auto outcome = calls.outcome(episode);
            for (; outcome == CountingBarrier::Outcome::open; outcome = calls.outcome(episode))
                std::this_thread::yield();
            const bool balanced = outcome == CountingBarrier::Outcome::balanced;
            wrong_ += balanced == is_balanced(seed_, episode) ? 0 : 1;
            wrong_ +=
                calls.most(episode) == CountingBarrier::Values{episode + ranks - 1, 7} ? 0 : 1;
            calls.leave(episode);
        }
    }

    std::uint64_t seed_;
    std::unique_ptr<carpool::shared::BarrierCounters> barrier_ =
        std::make_unique<carpool::shared::BarrierCounters>();
    std::atomic<std::size_t> wrong_ = 0;
};
