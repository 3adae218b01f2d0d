// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

/// Random numbers that follow from the seed on every machine (those of std distributions do not).
class RandomSource {
public:
    explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

    /// A number in [low, high].
    int between(int low, int high) {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<int>(engine_() % span);
    }
    bool one_in(int n) { return between(1, n) == 1; }

private:
    std::mt19937_64 engine_;
};

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

/// CARPOOL_SEED, or a new seed in every run. Case i of a test runs with seed + i, so
/// CARPOOL_SEED=<printed seed of the case> CARPOOL_RANDOM_CASES=1 repeats one case.
inline std::uint64_t first_seed() {
    return number_from_environment("CARPOOL_SEED", std::random_device{}());
}

/// The largest number of ranks in a test, smaller where programs are slow.
inline int up_to(int ranks) {
    return ranks / static_cast<int>(number_from_environment("CARPOOL_SLOWNESS", 1));
}

/// The number of random cases: CARPOOL_RANDOM_CASES, otherwise the usual number, or
/// CARPOOL_TEST_MOST_CASES where programs are slow.
inline std::uint64_t random_cases(std::uint64_t usual) {
    const auto most = number_from_environment("CARPOOL_TEST_MOST_CASES", usual);
    return number_from_environment("CARPOOL_RANDOM_CASES", std::min(usual, most));
}
