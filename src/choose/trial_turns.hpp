#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace carpool::choose {

/// Whose turn it is among several ways that are tried at work: a short look at each, then those
/// that are left in turn some times, then long the one that is in use; and all of it again, ever
/// more rarely.
///
///     A B C A B C | compare | A C A C A C … | compare | C C C … (1000) | A B C … (2000) …
///
/// The short look sorts out what takes many times as long before it has cost much.
class TrialTurns {
public:
    /// Of each way in the short look, and in all of a trial. What the first one takes is not
    /// counted, since it makes the way warm, and a median of several shrugs off what disturbs.
    static constexpr std::int64_t looks = 2;
    static constexpr std::int64_t turns = 8;

    static constexpr std::int64_t first_rest = 1000;
    static constexpr std::int64_t longest_rest = 1 << 20;
    static constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();

    explicit TrialTurns(std::size_t ways) : ways_(ways) { begin(Stage::look, all()); }

    /// Nothing is tried before so many starts have ended.
    void rest(std::int64_t starts) {
        rest_ = starts;
        begin(Stage::rest, {});
    }

    /// In the next start. @param in_use  after a trial
    std::size_t next(std::size_t in_use) const {
        if (stage_ == Stage::rest) return in_use;
        return field_[static_cast<std::size_t>(starts_) % field_.size()];
    }

    /// Are there times to compare before the next start?
    bool compares() const { return stage_ != Stage::rest && starts_ == length(); }

    /// Is that the first comparison of a trial, after the short look?
    bool is_first_look() const { return stage_ == Stage::look; }

    /// Does the time of the next start count?
    bool counts() const {
        const bool warms = stage_ == Stage::look && starts_ < static_cast<std::int64_t>(ways_);
        return stage_ != Stage::rest && !warms;
    }

    /// Times have been compared. @param left  the ways that stay in the trial, after the short look
    void compared(std::vector<std::size_t> left) {
        if (stage_ == Stage::look && left.size() > 1) return begin(Stage::race, std::move(left));
        begin(Stage::rest, {});
    }

    /// A start has ended; true if the next one begins another trial.
    bool pass() {
        ++starts_;
        if (stage_ != Stage::rest || starts_ < rest_) return false;
        if (rest_ < longest_rest) rest_ *= 2;
        begin(Stage::look, all());
        return true;
    }

private:
    enum class Stage { look, race, rest };

    void begin(Stage stage, std::vector<std::size_t> field) {
        stage_ = stage;
        field_ = std::move(field);
        starts_ = 0;
    }

    std::vector<std::size_t> all() const {
        std::vector<std::size_t> result(ways_);
        std::iota(result.begin(), result.end(), std::size_t{0});
        return result;
    }

    std::int64_t length() const {
        return (stage_ == Stage::look ? looks : turns - looks) *
               static_cast<std::int64_t>(field_.size());
    }

    std::size_t ways_;
    Stage stage_ = Stage::look;
    std::vector<std::size_t> field_;  ///< whose turns they are
    std::int64_t starts_ = 0;         ///< of this stage
    std::int64_t rest_ = first_rest;
};

}  // namespace carpool::choose
