#include "choose/standings.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carpool::choose {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double absent = -1;

/// Of one or two, of which one may have been disturbed.
double least(const std::vector<double>& seconds) { return *std::ranges::min_element(seconds); }

}  // namespace

Standings::Standings(std::size_t ways) : turns_(ways), seconds_(ways), times_(ways) {
    for (auto& of_way : seconds_) of_way.reserve(most_times);
}

/// Where starts are not counted there may be any number of them in one turn.
void Standings::add(std::size_t way, double seconds) {
    constexpr std::size_t enough = 64;
    ++times_[way];
    if (seconds_[way].size() < enough) seconds_[way].push_back(std::max(0.0, seconds));
}

Standings::Numbers Standings::numbers() const {
    CARPOOL_EXPECTS(seconds_.size() <= most_ways, seconds_.size());
    Numbers result;
    result.fill(absent);
    for (std::size_t way = 0; way < seconds_.size(); ++way)
        write_numbers(way, std::span(result).subspan(way * numbers_per_way, numbers_per_way));
    return result;
}

/// Ranks have measured the same starts, so what is of the same place is of the same start. Where a
/// call has failed on one of them it is not quite; then the choice may be worse.
void Standings::write_numbers(std::size_t way, std::span<double> to) const {
    const auto& seconds = seconds_[way];
    to.front() = lacks(way) || seconds.empty() ? 1 : 0;
    const auto count = std::min(seconds.size(), most_times);
    std::copy_n(seconds.end() - static_cast<std::ptrdiff_t>(count), count, to.begin() + 1);
}

/// @param numbers  of a way
Timing Standings::timing_in(std::span<const double> numbers) const {
    if (numbers.front() > 0) return {unknown, 0};
    std::vector<double> seconds(numbers.begin() + 1, numbers.end());
    std::erase(seconds, absent);
    return turns_.tolerance() ? Timing{least(seconds), 0} : timing_of(seconds);
}

Standings::Outcome Standings::decide(std::span<const double> most) {
    if (turns_.rested()) {
        turns_.begin_again();
        forget();
        return Outcome::goes_on;
    }
    std::vector<Timing> timings;
    for (std::size_t way = 0; way < seconds_.size(); ++way)
        timings.push_back(timing_in(most.subspan(way * numbers_per_way, numbers_per_way)));
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
