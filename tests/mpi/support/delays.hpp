// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <random>
#include <thread>

namespace carpool::tests {

/// Makes a rank late at random: it sleeps or computes.
class Delays {
public:
    explicit Delays(unsigned seed) : random_(seed) {}

    void maybe() {
        const auto what = random_() % 16;
        const std::chrono::microseconds time(random_() % (random_() % 16 == 0 ? 50000 : 3000));
        if (what == 0) std::this_thread::sleep_for(time);
        if (what == 1) compute(time);
    }

private:
    static void compute(std::chrono::microseconds time) {
        const auto end = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < end) {
        }
    }

    std::mt19937 random_;
};

}  // namespace carpool::tests
