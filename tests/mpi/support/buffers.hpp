// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace carpool::tests {

using Bytes = std::vector<std::byte>;

inline constexpr auto poison = std::byte{0xA5};

inline Bytes poisoned(std::size_t size) { return Bytes(size, poison); }

bool all_poison(const Bytes& bytes);

/// Writes bytes that differ between ranks, starts and places.
void fill(Bytes& bytes, int rank, int start);

Bytes filled(std::size_t size, int rank, int start);

/// The first byte that differs and the number of such bytes, or nothing if both are equal.
std::string difference(const Bytes& expected, const Bytes& got);

}  // namespace carpool::tests
