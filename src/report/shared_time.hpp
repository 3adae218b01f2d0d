// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace carpool::report {

using Clock = std::chrono::steady_clock;

/// Charges time to what is under way: while k things are, each is charged a k-th of the time that
/// passes. So all charges together are the time in which at least one thing was under way, which is
/// at most the time of the run.
class SharedTime {
public:
    /// Something begins. Returns the mark that end() needs.
    double begin(Clock::time_point now) {
        pass(now);
        ++under_way_;
        return charged_;
    }

    /// It ends. Returns the seconds that it is charged.
    double end(Clock::time_point now, double mark) {
        pass(now);
        --under_way_;
        return charged_ - mark;
    }

private:
    /// Threads may come here in another order than they have read the clock.
    void pass(Clock::time_point now) {
        if (now <= latest_) return;
        if (under_way_ > 0)
            charged_ += std::chrono::duration<double>(now - latest_).count() / under_way_;
        latest_ = now;
    }

    Clock::time_point latest_ = {};
    int under_way_ = 0;
    double charged_ = 0;  // to something that has been under way all the time
};

}  // namespace carpool::report
