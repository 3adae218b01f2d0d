#pragma once

#include <chrono>

namespace carpool::call {

/// Tells who waits in vain when it is time to look for the reason. Asks the clock now and then.
class Patience {
public:
    void begin() { fruitless_ = 0; }

    /// Called at each step that has brought nothing.
    bool is_over() {
        constexpr unsigned steps = 256;
        constexpr auto time = std::chrono::milliseconds(50);
        if (++fruitless_ % steps != 0) return false;
        const auto now = Clock::now();
        const bool over = fruitless_ > steps && now >= next_;
        if (over || fruitless_ == steps) next_ = now + time;
        return over;
    }

private:
    using Clock = std::chrono::steady_clock;

    unsigned fruitless_ = 0;
    Clock::time_point next_;
};

}  // namespace carpool::call
