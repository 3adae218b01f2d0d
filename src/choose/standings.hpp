#pragma once

#include "choose/trial_turns.hpp"
#include "choose/verdict.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::choose {

/// How a trial stands: whose turn it is, how long each way has taken here, and which is in use.
/// Where a stage ends all ranks compare their numbers, of each the most of all ranks, and so go on
/// alike.
class Standings {
public:
    static constexpr std::size_t most_ways = 4;

    /// Medians of all ways, then how uncertain they are.
    using Numbers = std::array<double, 2 * most_ways>;

    /// @pre ways <= most_ways
    explicit Standings(std::size_t ways);

    /// Begins without a trial. @param later  whether one is to follow, as after a trial
    void begin_with(std::size_t way, bool later) {
        in_use_ = way;
        turns_.rest(later ? TrialTurns::first_rest : TrialTurns::for_ever);
    }

    std::size_t in_use() const { return in_use_; }

    /// By which the next start goes. @pre it does not compare
    std::size_t next() const { return turns_.next(in_use_); }

    /// Are numbers to be compared before the next start?
    bool compares() const { return turns_.compares() || turns_.rested(); }

    /// Does the time of the next start count?
    bool counts() const { return turns_.counts(); }

    std::int64_t quiet_starts() const { return turns_.quiet_starts(); }

    /// What the next start has taken. @pre it counts
    void add(std::size_t way, double seconds);

    /// A start has ended.
    void pass() {
        if (turns_.pass()) forget();
    }

    /// Instead of pass(): so many starts of this stage have been, of which some were not measured.
    void reach(std::int64_t starts) { turns_.reach(starts); }

    Numbers numbers() const;

    /// What comes of a comparison.
    enum class Outcome {
        goes_on,  ///< with the next stage, or another trial
        lacks,    ///< some way has not been measured: the stage is repeated
        settled,  ///< one way is in use from now on
    };
    /// @param most  numbers() of all ranks, each the most; others may follow
    Outcome decide(std::span<const double> most);

private:
    bool lacks(std::size_t way) const {
        return turns_.is_tried(way) && times_[way] < turns_.least_times();
    }
    Outcome end_race(std::span<const Timing> timings);
    Outcome repeat();
    Outcome settle(std::size_t way);
    void forget();

    TrialTurns turns_;
    std::size_t in_use_ = 0;
    std::vector<std::vector<double>> seconds_;  ///< of each way in this trial
    std::vector<std::size_t> times_;            ///< measured in this stage, of each way
    int repeats_ = 0;
    int races_ = 0;         ///< of this trial
    bool settled_ = false;  ///< by a trial; else what is in use is a guess
};

}  // namespace carpool::choose
