#pragma once

#include "world.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

namespace carpool::tests {

/// A generator alike on all ranks. CARPOOL_TEST_SEED chooses another seed than 1; rank 0 prints it.
inline std::mt19937 seeded() {
    const char* text = std::getenv("CARPOOL_TEST_SEED");
    const auto seed = text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1u;
    if (world_rank() == 0) std::fprintf(stderr, "CARPOOL_TEST_SEED=%u\n", seed);
    return std::mt19937(seed);
}

/// How many random operations a test makes: CARPOOL_TEST_OPERATIONS, or the usual number.
inline int operations_or(int usual) {
    const char* const text = std::getenv("CARPOOL_TEST_OPERATIONS");
    return text != nullptr ? std::atoi(text) : usual;
}

}  // namespace carpool::tests
