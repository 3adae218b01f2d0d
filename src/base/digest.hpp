// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace carpool::base {

/// A 64-bit digest of a sequence of numbers: two sequences hardly ever have the same one.
class Digest {
public:
    void add(std::int64_t number) {
        bits_ = (std::rotl(bits_, 27) ^ static_cast<std::uint64_t>(number)) * 0xd6e8feb86659fd93;
        bits_ ^= bits_ >> 32;
    }

    std::uint64_t bits() const { return bits_; }

private:
    std::uint64_t bits_ = 0x9e3779b97f4a7c15;
};

}  // namespace carpool::base
