// SPDX-License-Identifier: MIT
#include "buffers.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::tests {
namespace {

/// A byte that differs between ranks, starts and places.
std::byte content(int rank, int start, std::size_t at) {
    std::uint64_t x = (at + 1) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(rank) * 7919u +
                      static_cast<std::uint64_t>(start) * 104729u;
    x = (x ^ (x >> 31)) * 0xBF58476D1CE4E5B9u;
    return static_cast<std::byte>(x >> 56);
}

std::string hex(std::byte b) {
    const char* digits = "0123456789abcdef";
    const auto value = std::to_integer<unsigned>(b);
    return {digits[value / 16], digits[value % 16]};
}

}  // namespace

bool all_poison(const Bytes& bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == poison; });
}

void fill(Bytes& bytes, int rank, int start) {
    for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = content(rank, start, at);
}

Bytes filled(std::size_t size, int rank, int start) {
    Bytes bytes(size);
    fill(bytes, rank, start);
    return bytes;
}

std::string difference(const Bytes& expected, const Bytes& got) {
    if (expected.size() != got.size()) return "sizes differ";
    if (expected == got) return {};
    std::size_t differing = 0;
    for (std::size_t at = 0; at < got.size(); ++at) differing += expected[at] != got[at];
    const auto first = static_cast<std::size_t>(
        std::mismatch(expected.begin(), expected.end(), got.begin()).first - expected.begin());
    return "byte " + std::to_string(first) + " of " + std::to_string(got.size()) + ": expected " +
           hex(expected[first]) + ", got " + hex(got[first]) + "; " + std::to_string(differing) +
           " bytes differ";
}

}  // namespace carpool::tests
