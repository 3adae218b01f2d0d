#pragma once

#include <algorithm>
#include <chrono>

namespace carpool::mistakes {

/// Tells who waits in vain when it is time to look for the reason: after longer and longer times.
/// Asks the clock now and then.
class Patience {
public:
    void begin() {
        fruitless_ = 0;
        time_ = std::chrono::milliseconds(50);
    }

    /// Called at each step that has brought nothing.
    bool is_over() {
        constexpr unsigned steps = 256;
        constexpr auto most = std::chrono::milliseconds(1000);
        if (++fruitless_ % steps != 0) return false;
        const auto now = Clock::now();
        const bool over = fruitless_ > steps && now >= next_;
        if (over) time_ = std::min(2 * time_, most);
        if (over || fruitless_ == steps) next_ = now + time_;
        return over;
    }

private:
    using Clock = std::chrono::steady_clock;

    unsigned fruitless_ = 0;
    std::chrono::milliseconds time_{};
    Clock::time_point next_;
};

}  // namespace carpool::mistakes
