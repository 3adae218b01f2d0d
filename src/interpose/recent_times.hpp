// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/repetition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace carpool::interpose {

/// How long the latest calls have taken.
class RecentTimes {
public:
    /// So many calls are looked at: those whose arguments are.
    static constexpr int looked_at = Repetition::looked_at;

    void note(float seconds) { seconds_[static_cast<std::size_t>(noted_++ % looked_at)] = seconds; }
    void forget() { noted_ = 0; }

    /// Whether there are enough of them to be compared.
    bool known() const { return noted_ >= looked_at / 2; }

    /// Their median, which a call that waited for a late rank does not change. @pre known()
    std::int64_t nanoseconds() const {
        auto sorted = seconds_;
        const auto many = std::min(noted_, looked_at);
        const auto middle = sorted.begin() + many / 2;
        std::nth_element(sorted.begin(), middle, sorted.begin() + many);
        return static_cast<std::int64_t>(*middle * 1e9F);
    }

private:
    std::array<float, looked_at> seconds_ = {};
    int noted_ = 0;
};

}  // namespace carpool::interpose
