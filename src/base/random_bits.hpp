// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

namespace carpool::base {

/// Returns 64 random bits from the system, which no other process is likely to have drawn.
inline std::uint64_t random_bits() {
    std::random_device source;
    const std::uint64_t high = source();
    return high << 32 | source();
}

}  // namespace carpool::base
