// SPDX-License-Identifier: MIT
#pragma once

#include "world.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace carpool::tests {

/// A generator in the same state on all ranks. CARPOOL_TEST_SEED sets another seed than 1; rank 0
/// prints it.
inline std::mt19937 seeded() {
    const char* text = std::getenv("CARPOOL_TEST_SEED");
    const auto seed = text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1u;
    if (world_rank() == 0) std::fprintf(stderr, "CARPOOL_TEST_SEED=%u\n", seed);
    return std::mt19937(seed);
}

/// The number of random operations of a test: CARPOOL_TEST_OPERATIONS, or the usual one.
inline int operations_or(int usual) {
    const char* const text = std::getenv("CARPOOL_TEST_OPERATIONS");
    return text != nullptr ? std::atoi(text) : usual;
}

}  // namespace carpool::tests
