#pragma once

#include <cstddef>
#include <cstdint>

namespace carpool::choose {

/// Whose turn it is among several ways that are tried at work: each in turn some times, then long
/// the one that is in use, then each again, ever more rarely.
///
///     A B C A B C … | compare | A A A … (1000) | A B C … | compare | … (2000) | …
class TrialTurns {
public:
    /// Of each way in a trial: what the first one takes is not counted, since it makes the way
    /// warm, and the median of seven shrugs off three that were disturbed.
    static constexpr std::int64_t turns = 8;

    static constexpr std::int64_t first_rest = 1000;
    static constexpr std::int64_t longest_rest = 1 << 20;

    explicit TrialTurns(std::size_t ways) : ways_(static_cast<std::int64_t>(ways)) {}

    /// In the next start. @param in_use  after a trial
    std::size_t next(std::size_t in_use) const {
        return in_trial() ? static_cast<std::size_t>(starts_ % ways_) : in_use;
    }

    /// Are all times there, and not yet compared?
    bool compares() const { return starts_ == turns * ways_; }

    /// Does the time of the next start count?
    bool counts() const { return in_trial() && starts_ >= ways_; }

    /// A start has ended; true if the next one begins another trial.
    bool pass() {
        if (++starts_ < turns * ways_ + rest_) return false;
        starts_ = 0;
        if (rest_ < longest_rest) rest_ *= 2;
        return true;
    }

private:
    bool in_trial() const { return starts_ < turns * ways_; }

    std::int64_t ways_;
    std::int64_t starts_ = 0;  ///< since the present trial has begun
    std::int64_t rest_ = first_rest;
};

}  // namespace carpool::choose
