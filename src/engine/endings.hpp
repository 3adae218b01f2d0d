// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace carpool::engine {

/// Records which receives of a start have ended, for a transport that sees them end one by one.
class Endings {
public:
    explicit Endings(std::size_t receives) : ended_(receives) { untold_.reserve(receives); }

    /// Begins a start: no receive has ended.
    void begin() {
        std::fill(ended_.begin(), ended_.end(), 0);
        untold_.clear();
    }

    /// Adds a receive behind all others; returns its place.
    std::size_t add() {
        ended_.push_back(0);
        return ended_.size() - 1;
    }

    /// Removes all receives.
    void clear() {
        ended_.clear();
        untold_.clear();
    }

    void end(std::size_t place) {
        ended_[place] = 1;
        untold_.push_back(static_cast<int>(place));
    }

    int receives() const { return static_cast<int>(ended_.size()); }
    bool has(std::size_t place) const { return ended_[place] != 0; }

    bool all(int first, int end) const {
        return std::all_of(ended_.begin() + first, ended_.begin() + end,
                           [](char one) { return one != 0; });
    }

    /// The places of those of the first `count` receives that have ended and were not returned
    /// before. @pre there is room for all
    std::span<const int> tell(int count, std::span<int> room) {
        std::size_t told = 0;
        std::erase_if(untold_, [&](int place) {
            if (place >= count) return false;
            room[told++] = place;
            return true;
        });
        return room.first(told);
    }

private:
    std::vector<char> ended_;  // per place
    std::vector<int> untold_;
};

}  // namespace carpool::engine
