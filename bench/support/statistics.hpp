// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bench {

/// Marks a repetition in which a contender did not take part.
inline constexpr double absent = -1;

struct Quartiles {
    double least = 0;
    double first = 0;
    double median = 0;
    double third = 0;
    double most = 0;
};

/// The interpolated value at fraction f of a sorted, nonempty list.
inline double quantile(const std::vector<double>& sorted, double f) {
    const double at = f * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const auto above = static_cast<std::size_t>(std::ceil(at));
    return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

inline std::vector<double> present(const std::vector<double>& values) {
    std::vector<double> result;
    std::ranges::copy_if(values, std::back_inserter(result), [](double v) { return v != absent; });
    return result;
}

/// @pre at least one value is present
inline Quartiles quartiles(const std::vector<double>& values) {
    auto sorted = present(values);
    std::ranges::sort(sorted);
    return {sorted.front(), quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75),
            sorted.back()};
}

/// f(a, b) for each repetition in which both took part.
template <class F>
std::vector<double> paired(const std::vector<double>& a, const std::vector<double>& b, F f) {
    std::vector<double> result;
    for (std::size_t r = 0; r < std::min(a.size(), b.size()); ++r)
        if (a[r] != absent && b[r] != absent) result.push_back(f(a[r], b[r]));
    return result;
}

/// a over b, repetition by repetition.
inline std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
    return paired(a, b, [](double x, double y) { return x / y; });
}

}  // namespace bench
