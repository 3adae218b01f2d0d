#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace carpool::tests {

using Bytes = std::vector<std::byte>;

inline constexpr auto poison = std::byte{0xA5};

inline Bytes poisoned(std::size_t size) { return Bytes(size, poison); }

bool all_poison(const Bytes& bytes);

/// Writes bytes that tell rank, start and place apart.
void fill(Bytes& bytes, int rank, int start);

Bytes filled(std::size_t size, int rank, int start);

/// Empty if equal; else the first byte that differs, and how many do.
std::string difference(const Bytes& expected, const Bytes& got);

}  // namespace carpool::tests
