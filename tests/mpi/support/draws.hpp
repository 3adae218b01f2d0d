// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace carpool::tests {

/// The random numbers of a test.
class Draws {
public:
    explicit Draws(std::mt19937 random) : random_(random) {}

    int between(int low, int high) {
        return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
    }
    bool one_in(int chances) { return between(1, chances) == 1; }
    std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

    template <typename Things>
    const auto& one_of(const Things& things) {
        return things[static_cast<std::size_t>(
            between(0, static_cast<int>(std::size(things)) - 1))];
    }

private:
    std::mt19937 random_;
};

}  // namespace carpool::tests
