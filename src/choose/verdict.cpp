#include "choose/verdict.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <cmath>

namespace carpool::choose {
namespace {

double median_of(std::vector<double>& numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

}  // namespace

/// For numbers that are normally distributed the median of n is uncertain by 1.25 / sqrt(n)
/// standard deviations, and one of these is 1.48 times the median distance from the median.
Timing timing_of(std::vector<double> seconds) {
    CARPOOL_EXPECTS(!seconds.empty());
    constexpr double of_distances = 1.25 * 1.48;
    const double median = median_of(seconds);
    for (auto& one : seconds) one = std::abs(one - median);
    const auto count = static_cast<double>(seconds.size());
    return {median, of_distances * median_of(seconds) / std::sqrt(count)};
}

std::size_t verdict(std::span<const Timing> timings, std::size_t incumbent) {
    CARPOOL_EXPECTS(incumbent < timings.size(), incumbent, timings.size());
    const auto fastest = std::ranges::min_element(timings, {}, &Timing::median);
    const auto& now = timings[incumbent];
    const bool clearly = now.median - fastest->median > now.uncertainty + fastest->uncertainty;
    return clearly ? static_cast<std::size_t>(fastest - timings.begin()) : incumbent;
}

std::vector<std::size_t> near_the_fastest(std::span<const Timing> timings, double factor) {
    CARPOOL_EXPECTS(!timings.empty());
    const auto fastest = std::ranges::min_element(timings, {}, &Timing::median)->median;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < timings.size(); ++i)
        if (timings[i].median <= factor * fastest) result.push_back(i);
    return result;
}

}  // namespace carpool::choose
