#pragma once

#include <cstdint>
#include <random>

namespace carpool::base {

/// 64 bits from the system, which no other process is likely to have got.
inline std::uint64_t random_bits() {
    std::random_device source;
    const std::uint64_t high = source();
    return high << 32 | source();
}

}  // namespace carpool::base
