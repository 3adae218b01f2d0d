// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::model {

/// Goes through all sequences of choices, the deepest first: each execution repeats the choices of
/// the one before it up to the last that has another answer, and takes that.
class Explorer {
public:
    /// The answer to the next choice, at least 0 and less than `answers`.
    int choose(int answers) {
        if (answers == 1) return 0;
        if (next_ == choices_.size()) choices_.push_back({0, answers});
        return choices_[next_++].taken;
    }

    /// Turns to the next execution. Returns false if there is none.
    bool advance() {
        choices_.resize(next_);  // an execution may end early
        next_ = 0;
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().answers)
            choices_.pop_back();
        if (choices_.empty()) return false;
        ++choices_.back().taken;
        return true;
    }

    void begin_anew() {
        choices_.clear();
        next_ = 0;
    }

    std::size_t depth() const { return choices_.size(); }

    /// Which part of all executions has been explored, roughly.
    double progress() const {
        double done = 0;
        double part = 1;
        for (const auto& choice : choices_) {
            part /= choice.answers;
            done += part * choice.taken;
        }
        return done;
    }

private:
    struct Choice {
        int taken;
        int answers;
    };

    std::vector<Choice> choices_;
    std::size_t next_ = 0;
};

}  // namespace carpool::model
