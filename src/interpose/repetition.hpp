// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace carpool::interpose {

/// Whether the calls of an operation on a communicator repeat each other, as this rank sees it.
class Repetition {
public:
    /// So many calls are looked at.
    static constexpr int looked_at = 16;

    /// Notes a call. @param digest  of its arguments
    void note(std::uint64_t digest) {
        if (std::ranges::find(latest_, digest) != latest_.end()) return;
        latest_[static_cast<std::size_t>(new_ones_++) % latest_.size()] = digest;
    }

    /// Whether most of the calls that were noted were like one of the latest.
    bool is_likely() const { return new_ones_ <= looked_at / 4; }

private:
    std::array<std::uint64_t, looked_at / 4> latest_ = {};
    int new_ones_ = 0;
};

}  // namespace carpool::interpose
