// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/repetition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

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

    /// Their mean without the shortest and the longest eighth, so one or two calls that waited for
    /// a late rank do not count. A median would be the time of one kind of call: where ranks share
    /// a core, half of the calls end at once, and the others wait until their rank runs again.
    /// @pre known()
    std::int64_t nanoseconds() const {
        auto sorted = seconds_;
        const auto many = std::min(noted_, looked_at);
        const auto left_out = many / 8;
        std::sort(sorted.begin(), sorted.begin() + many);
        const auto first = sorted.begin() + left_out;
        const auto last = sorted.begin() + many - left_out;
        const auto mean = std::accumulate(first, last, 0.0F) / static_cast<float>(last - first);
        return static_cast<std::int64_t>(mean * 1e9F);
    }

private:
    std::array<float, looked_at> seconds_ = {};
    int noted_ = 0;
};

}  // namespace carpool::interpose
