// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::model {

/// Process 0 prepares a scenario and judges its end; the others run at a time.
inline constexpr std::size_t most_processes = 4;

/// A vector clock: up to which step of each process everything has happened before.
class Clock {
public:
    std::uint32_t& operator[](std::size_t process) { return steps_[process]; }
    std::uint32_t operator[](std::size_t process) const { return steps_[process]; }

    void join(const Clock& other) {
        for (std::size_t p = 0; p < most_processes; ++p)
            steps_[p] = std::max(steps_[p], other.steps_[p]);
    }

private:
    std::array<std::uint32_t, most_processes> steps_ = {};
};

/// The oldest value of each atomic object that may still be read, by the number of the object.
class View {
public:
    std::size_t of(std::size_t object) const {
        return object < oldest_.size() ? oldest_[object] : 0;
    }

    void raise(std::size_t object, std::size_t value) {
        if (object >= oldest_.size()) oldest_.resize(object + 1);
        oldest_[object] = std::max(oldest_[object], value);
    }

    void join(const View& other) {
        for (std::size_t object = 0; object < other.oldest_.size(); ++object)
            raise(object, other.oldest_[object]);
    }

private:
    std::vector<std::size_t> oldest_;
};

}  // namespace carpool::model
