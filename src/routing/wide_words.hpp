// SPDX-License-Identifier: MIT
#pragma once

#include "routing/program.hpp"

#include <cstddef>
#include <cstdint>

namespace carpool::routing {

/// Appends a 64-bit number to a message, as two words.
inline void add_wide(Words& words, std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    words.insert(words.end(), {static_cast<int>(bits >> 32), static_cast<int>(bits & 0xffffffff)});
}

/// The 64-bit number whose two words begin at index `at`.
inline std::int64_t wide_at(const Words& words, std::size_t at) {
    return static_cast<std::int64_t>(std::uint64_t{static_cast<std::uint32_t>(words[at])} << 32 |
                                     static_cast<std::uint32_t>(words[at + 1]));
}

}  // namespace carpool::routing
