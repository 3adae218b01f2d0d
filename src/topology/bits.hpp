// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace carpool::topology {

// Sets of numbers 0 .. size-1 with 64 bits to a word, the lowest first. The OR of the words of all
// ranks is the union of their sets.

inline constexpr int word_bits = 64;

constexpr std::size_t words_of_bits(int size) { return (static_cast<std::size_t>(size) + 63) / 64; }

constexpr void set_bit(std::span<std::uint64_t> words, int bit) {
    words[static_cast<std::size_t>(bit) / 64] |= std::uint64_t{1} << (bit % 64);
}

constexpr bool has_bit(std::span<const std::uint64_t> words, int bit) {
    return (words[static_cast<std::size_t>(bit) / 64] >> (bit % 64) & 1) != 0;
}

}  // namespace carpool::topology
