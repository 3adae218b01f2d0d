#include "choose/standings.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carpool::choose {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Of one or two, of which one may have been disturbed.
double least(const std::vector<double>& seconds) { return *std::ranges::min_element(seconds); }

}  // namespace

Standings::Standings(std::size_t ways) : turns_(ways), seconds_(ways), times_(ways) {
    for (auto& of_way : seconds_)
        of_way.reserve(TrialTurns::looks + TrialTurns::most_races * TrialTurns::races);
}

/// Where starts are not counted there may be any number of them in one turn.
void Standings::add(std::size_t way, double seconds) {
    constexpr std::size_t enough = 64;
    ++times_[way];
    if (seconds_[way].size() < enough) seconds_[way].push_back(seconds);
}

Standings::Numbers Standings::numbers() const {
    CARPOOL_EXPECTS(seconds_.size() <= most_ways, seconds_.size());
    Numbers result{};
    for (std::size_t way = 0; way < seconds_.size(); ++way) {
        const auto& seconds = seconds_[way];
        const auto [median, uncertainty] = lacks(way) || seconds.empty() ? Timing{unknown, 0}
                                           : turns_.tolerance()          ? Timing{least(seconds), 0}
                                                                         : timing_of(seconds);
        result[way] = median;
        result[most_ways + way] = uncertainty;
    }
    return result;
}

Standings::Outcome Standings::decide(std::span<const double> most) {
    if (turns_.rested()) {
        turns_.begin_again();
        forget();
        return Outcome::goes_on;
    }
    std::vector<Timing> timings;
    for (std::size_t way = 0; way < seconds_.size(); ++way)
        timings.push_back({most[way], most[most_ways + way]});
    if (std::ranges::count(timings, unknown, &Timing::median) > 0) return repeat();
    const auto tolerance = turns_.tolerance();
    if (!tolerance) return end_race(timings);
    auto left = near_the_fastest(timings, *tolerance);
    if (turns_.may_be_cold()) {
        if (std::ranges::count(left, in_use_) == 0) left.push_back(in_use_);  // for a second look
    } else {
        for (const auto way : left) seconds_[way].erase(seconds_[way].begin());  // the glance
    }
    if (left.size() == 1) return settle(left.front());
    turns_.compared(std::move(left));
    std::ranges::fill(times_, 0);
    repeats_ = 0;
    return Outcome::goes_on;
}

/// Where another way looks faster, but not clearly, these two race on. What the model has guessed
/// has no advantage in the end, unlike what an earlier trial has found.
Standings::Outcome Standings::end_race(std::span<const Timing> timings) {
    const auto least = std::ranges::min_element(timings, {}, &Timing::median);
    const auto fastest = static_cast<std::size_t>(least - timings.begin());
    const auto winner = verdict(timings, in_use_);
    if (winner == fastest) return settle(winner);
    if (++races_ == TrialTurns::most_races) return settle(settled_ ? in_use_ : fastest);
    turns_.race_on({in_use_, fastest});
    std::ranges::fill(times_, 0);
    return Outcome::goes_on;
}

/// Starts may come so unevenly that some way never has a turn: then what is in use stays.
Standings::Outcome Standings::repeat() {
    constexpr int enough = 8;
    if (++repeats_ > enough) return settle(in_use_);
    turns_.repeat();
    return Outcome::lacks;
}

Standings::Outcome Standings::settle(std::size_t way) {
    in_use_ = way;
    settled_ = true;
    turns_.compared({});
    forget();
    return Outcome::settled;
}

void Standings::forget() {
    for (auto& of_way : seconds_) of_way.clear();
    std::ranges::fill(times_, 0);
    repeats_ = 0;
    races_ = 0;
}

}  // namespace carpool::choose
